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

function place(popup: HTMLElement, anchor: HTMLElement, align: 'start' | 'end', matchWidth: boolean): void {
  const at = anchor.getBoundingClientRect()
  const below = window.innerHeight - at.bottom - gap - edge
  const above = at.top - gap - edge
  if (matchWidth) popup.style.minWidth = `${at.width}px`
  popup.style.maxHeight = ''
  const height = popup.scrollHeight + 2
  const up = height > below && above > below
  const room = Math.max(up ? above : below, 80)
  popup.style.maxHeight = `${room}px`
  const width = popup.offsetWidth
  const left = align === 'end' ? at.right - width : at.left
  popup.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - edge - width))}px`
  popup.style.top = `${up ? at.top - gap - Math.min(height, room) : at.bottom + gap}px`
}

/**
 * A floating panel in the browser's top layer, beside its anchor. Render it only while it is open.
 * It closes on a press outside and when the focus leaves it and its anchor; Esc is its owner's to handle.
 */
export function Popup(props: PopupProps) {
  const { anchor, align = 'start', matchWidth = false } = props
  const own = useRef<HTMLDivElement>(null)
  const ref = props.ref ?? own
  const close = useEffectEvent(props.onClose)

  useLayoutEffect(() => {
    const popup = ref.current
    if (!popup || !anchor.current) return
    popup.showPopover()
    const update = () => {
      if (anchor.current) place(popup, anchor.current, align, matchWidth)
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
  }, [anchor, ref, align, matchWidth])

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
      id={props.id}
      popover="manual"
      role={props.role}
      aria-label={props.label}
      aria-labelledby={props.labelledBy}
      aria-multiselectable={props.multiselectable}
      className={props.className ? `${classes.popup} ${props.className}` : classes.popup}
      onKeyDown={props.onKeyDown}
    >
      {props.children}
    </div>
  )
}
