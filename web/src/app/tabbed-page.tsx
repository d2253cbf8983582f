import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import type { Feature } from '@karvon/contract/lib/features.ts'
import { isAnnounced, useSettings } from '../lib/settings.store.ts'
import type { ListSearch } from '../lib/table-state.ts'
import { Tabs } from '../components/display/tabs.tsx'

interface PageTab {
  readonly value: string
  readonly label: string
  readonly Page: ComponentType
  /** Fetches the code of the page ahead. */
  readonly preload?: () => void
  /** The feature that the host must announce for the tab. */
  readonly feature?: Feature
}

/** The page of a tab whose code loads when the tab opens, or when the pointer or focus comes to the tabs. */
export const lazyTab = (
  load: () => Promise<ComponentType>,
): { readonly Page: ComponentType; readonly preload: () => void } => ({
  Page: lazy(async () => ({ default: await load() })),
  // A failure shows when the tab opens.
  preload: () => void load().catch(() => undefined),
})

/**
 * Fetches the code of a tab ahead, by its value. Tabs that load with their page are not among `tabs`. `first` is the first
 * tab of the page.
 */
export const createTabPreload =
  <Tab extends string>(tabs: Readonly<Record<Tab, { readonly preload: () => void }>>, first?: Tab) =>
  (tab: string | undefined = first): void => {
    const isLazy = (value: string): value is Tab => Object.hasOwn(tabs, value)
    if (tab !== undefined && isLazy(tab)) tabs[tab].preload()
  }

type TabbedPageProps = { label: string; tabs: readonly [PageTab, ...PageTab[]]; aside?: ReactNode }

/** Pages of several domains as tabs. The query parameter `tab` selects one; the first is the default. */
export function TabbedPage({ label, tabs, aside }: TabbedPageProps) {
  const { tab }: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const settings = useSettings()
  const availableTabs = tabs.filter(({ feature }) => isAnnounced(feature, settings))
  const shownTab = availableTabs.find(({ value }) => value === tab) ?? tabs[0]
  return (
    <Tabs
      label={label}
      tabs={availableTabs}
      value={shownTab.value}
      aside={aside}
      onNear={() => availableTabs.forEach(({ preload }) => preload?.())}
      onChange={(value) =>
        void navigate({
          // Another page may be loading, whose address is already the current one.
          to: router.state.resolvedLocation?.pathname ?? '.',
          search: value === tabs[0].value ? {} : { tab: value },
        })
      }
    >
      <Suspense>
        <shownTab.Page key={shownTab.value} />
      </Suspense>
    </Tabs>
  )
}
