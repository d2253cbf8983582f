import type { ReactNode, SVGProps } from 'react'

type IconProps = SVGProps<SVGSVGElement> & { size?: number }

function Svg({ size = 20, children, ...rest }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
      {...rest}
    >
      {children}
    </svg>
  )
}

export type Icon = (props: IconProps) => ReactNode

const path = (d: string): Icon =>
  function PathIcon(props) {
    return (
      <Svg {...props}>
        <path d={d} />
      </Svg>
    )
  }

export const FlowIcon = /* @__PURE__ */ path('M4 7c5 0 5 5 8 5s3-5 8-5M4 17c5 0 5-5 8-5s3 5 8 5')
export const ChartIcon = /* @__PURE__ */ path('M4 20h16M7 16v-5M12 16V6M17 16v-8')
export const BoxIcon = /* @__PURE__ */ path('M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9')
export const ComponentsIcon = /* @__PURE__ */ path(
  'M12 4l3 3-3 3-3-3zM12 14l3 3-3 3-3-3zM7 9l3 3-3 3-3-3zM17 9l3 3-3 3-3-3z',
)
export const MenuIcon = /* @__PURE__ */ path('M4 7h16M4 12h16M4 17h16')
export const MoonIcon = /* @__PURE__ */ path('M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z')
export const UploadIcon = /* @__PURE__ */ path('M12 16V5M7.5 9.5L12 5l4.5 4.5M5 19h14')
export const DownloadIcon = /* @__PURE__ */ path('M12 5v10M8 11.5l4 4 4-4M5 19h14')
export const ImportIcon = /* @__PURE__ */ path('M4 12h10M10.5 8.5L14 12l-3.5 3.5M14 5h5v14h-5')
export const ChevronDownIcon = /* @__PURE__ */ path('M8 10l4 4 4-4')
export const ChevronUpIcon = /* @__PURE__ */ path('M8 14l4-4 4 4')
export const ChevronLeftIcon = /* @__PURE__ */ path('M14 8l-4 4 4 4')
export const ChevronRightIcon = /* @__PURE__ */ path('M10 8l4 4-4 4')
export const SortIcon = /* @__PURE__ */ path('M8.5 9.5L12 6l3.5 3.5M8.5 14.5L12 18l3.5-3.5')
export const PlusIcon = /* @__PURE__ */ path('M12 5v14M5 12h14')
export const ColumnsIcon = /* @__PURE__ */ path('M4 5h16v14H4zM9.3 5v14M14.7 5v14')
export const CloseIcon = /* @__PURE__ */ path('M6.5 6.5l11 11M17.5 6.5l-11 11')
export const CheckIcon = /* @__PURE__ */ path('M5 12.5l4.5 4.5L19 7.5')
export const EditIcon = /* @__PURE__ */ path('M5 19l1-4L16 5l3 3L9 18zM14 7l3 3')
export const BroadcastIcon = /* @__PURE__ */ path(
  'M18 16H6c1.2-1.2 1.6-2.6 1.6-5a4.4 4.4 0 0 1 8.8 0c0 2.4.4 3.8 1.6 5zM10.3 19a1.8 1.8 0 0 0 3.4 0',
)
export const TrashIcon = /* @__PURE__ */ path('M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.5 11v4.5M13.5 11v4.5')
export const RefreshIcon = /* @__PURE__ */ path('M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4')
export const WalletIcon = /* @__PURE__ */ path('M17 9V5H6a2 2 0 0 0 0 4h13v10H6a2 2 0 0 1-2-2V7M15.5 14v.1')
export const SignOutIcon = /* @__PURE__ */ path(
  'M10 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h4M14 8l4 4-4 4M18 12H9',
)
export const BackIcon = /* @__PURE__ */ path('M19 12H5M11 6l-6 6 6 6')

export function GridIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <rect x="4" y="4" width="6" height="6" rx="1" />
      <rect x="14" y="4" width="6" height="6" rx="1" />
      <rect x="4" y="14" width="6" height="6" rx="1" />
      <rect x="14" y="14" width="6" height="6" rx="1" />
    </Svg>
  )
}

export function UsersIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <circle cx="9" cy="8" r="3.2" />
      <path d="M3.5 19c.6-3.4 2.6-5 5.5-5s4.9 1.6 5.5 5M16 5.4a3 3 0 0 1 0 5.4M18 14.4c1.6.8 2.4 2.4 2.7 4.6" />
    </Svg>
  )
}

export function UserIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <circle cx="12" cy="8" r="3.5" />
      <path d="M5.5 20c.7-3.8 3-5.5 6.5-5.5s5.8 1.7 6.5 5.5" />
    </Svg>
  )
}

export function TagIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <path d="M4 12V5a1 1 0 0 1 1-1h7l8 8-8 8z" />
      <circle cx="8.5" cy="8.5" r="1.2" />
    </Svg>
  )
}

export function GearIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <circle cx="12" cy="12" r="3" />
      <path d="M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1" />
    </Svg>
  )
}

export function SunIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4" />
    </Svg>
  )
}

export function SearchIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <circle cx="11" cy="11" r="6" />
      <path d="M20 20l-4.5-4.5" />
    </Svg>
  )
}

export function CalendarIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <rect x="4" y="5" width="16" height="15" rx="2" />
      <path d="M4 10h16M8 3v4M16 3v4" />
    </Svg>
  )
}

export function EyeIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <path d="M3 12c2-4 5-6 9-6s7 2 9 6c-2 4-5 6-9 6s-7-2-9-6z" />
      <circle cx="12" cy="12" r="2.8" />
    </Svg>
  )
}

export function AlertIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 8v4.5M12 15.9v.1" />
    </Svg>
  )
}

export function InboxIcon(props: IconProps) {
  return (
    <Svg {...props}>
      <path d="M4 13l2.5-7h11L20 13v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z" />
      <path d="M4 13h4.5l1 2h5l1-2H20" />
    </Svg>
  )
}
