import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import classes from './popup.module.css'

export type PopupProps = {
  /** What it opens beside; a press on it is not a press outside. */
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
  id?: string
  role?: 'dialog' | 'menu' | 'listbox'
  label?: string
  labelledBy?: string
  multiselectable?: boolean
  /** As wide as the anchor, at least. */
  matchWidth?: boolean
  /** Where neither side has room it may lie over the anchor rather than scroll. */
  cover?: boolean
  /** Which edge of the anchor it keeps to. */
  align?: 'start' | 'end'
  className?: string
  children: ReactNode
  onKeyDown?: (event: React.KeyboardEvent<HTMLDivElement>) => void
  ref?: RefObject<HTMLDivElement | null>
}

// Pixels between the popup and its anchor, and between the popup and the window's edge.
const gap = 4
const edge = 8

type Placing = { align: 'start' | 'end'; matchWidth: boolean; cover: boolean }

function place(popup: HTMLElement, anchor: HTMLElement, { align, matchWidth, cover }: Placing): void {
  const at = anchor.getBoundingClientRect()
  // Without the scrollbar's width.
  const { clientWidth: wide } = document.documentElement
  const tall = window.innerHeight
  const below = tall - at.bottom - gap - edge
  const above = at.top - gap - edge
  if (matchWidth) popup.style.minWidth = `${at.width}px`
  popup.style.maxWidth = `${wide - 2 * edge}px`
  popup.style.maxHeight = ''
  const height = popup.scrollHeight + 2
  const over = cover && height > Math.max(above, below)
  const up = height > below && above > below
  const room = over ? tall - 2 * edge : Math.max(up ? above : below, 80)
  popup.style.maxHeight = `${room}px`
  const width = popup.offsetWidth
  const left = align === 'end' ? at.right - width : at.left
  const used = Math.min(height, room)
  const top = over ? tall - edge - used : up ? at.top - gap - used : at.bottom + gap
  popup.style.left = `${Math.max(edge, Math.min(left, wide - edge - width))}px`
  popup.style.top = `${top}px`
}

/**
 * A floating panel in the browser's top layer, beside its anchor. Render it only while it is open.
 * It closes on a press outside and when the focus leaves it and its anchor; Esc is its owner's to handle.
 */
export function Popup(props: PopupProps) {
  const { anchor, onClose, ref: given, align = 'start', matchWidth = false, cover = false, ...rest } = props
  const own = useRef<HTMLDivElement>(null)
  const ref = given ?? own
  const close = useEffectEvent(onClose)

  useLayoutEffect(() => {
    const popup = ref.current
    if (!popup || !anchor.current) return
    popup.showPopover()
    const update = () => {
      if (anchor.current) place(popup, anchor.current, { align, matchWidth, cover })
    }
    update()
    const size = new ResizeObserver(update)
    size.observe(popup)
    size.observe(anchor.current)
    window.addEventListener('resize', update)
    const onScroll = (event: Event) => {
      if (!(event.target instanceof Node) || !popup.contains(event.target)) update()
    }
    window.addEventListener('scroll', onScroll, true)
    return () => {
      size.disconnect()
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', onScroll, true)
    }
  }, [anchor, ref, align, matchWidth, cover])

  useEffect(() => {
    const outside = (event: Event) => {
      const target = event.target
      if (!(target instanceof Node)) return
      if (!ref.current?.contains(target) && !anchor.current?.contains(target)) close()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
    }
  }, [anchor, ref])

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its owner gives the role
    <div
      ref={ref}
      id={rest.id}
      popover="manual"
      role={rest.role}
      aria-label={rest.label}
      aria-labelledby={rest.labelledBy}
      aria-multiselectable={rest.multiselectable}
      className={rest.className ? `${classes.popup} ${rest.className}` : classes.popup}
      onKeyDown={rest.onKeyDown}
    >
      {rest.children}
    </div>
  )
}
