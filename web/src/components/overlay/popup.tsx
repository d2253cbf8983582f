import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import classes from './popup.module.css'

export type PopupProps = {
  /** The element beside which the popup opens. A press on it does not close the popup. */
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
  id?: string
  role?: 'dialog'
  label?: string
  /** At least as wide as the anchor. */
  matchWidth?: boolean
  /** The popup may cover the anchor where neither side has room, instead of scrolling. */
  cover?: boolean
  /** The edge of the anchor to which the popup aligns. */
  align?: 'start' | 'end'
  className?: string
  children: ReactNode
  /** Called by Esc while the focus is in the popup or its anchor. Without it, the owner handles Esc. */
  onEscape?: () => void
}

// Pixels between the popup and its anchor, and between the popup and the window's edge.
const anchorGapPx = 4
const windowMarginPx = 8

type PlacementOptions = { align: 'start' | 'end'; matchWidth: boolean; cover: boolean }

function placePopup(
  popup: HTMLElement,
  anchor: HTMLElement,
  { align, matchWidth, cover }: PlacementOptions,
): void {
  const anchorBox = anchor.getBoundingClientRect()
  // Without the width of the scrollbar.
  const { clientWidth: windowWidth } = document.documentElement
  const windowHeight = window.innerHeight
  const spaceBelow = windowHeight - anchorBox.bottom - anchorGapPx - windowMarginPx
  const spaceAbove = anchorBox.top - anchorGapPx - windowMarginPx
  if (matchWidth) popup.style.minWidth = `${anchorBox.width}px`
  popup.style.maxWidth = `${windowWidth - 2 * windowMarginPx}px`
  popup.style.maxHeight = ''
  const height = popup.scrollHeight + 2
  const coversAnchor = cover && height > Math.max(spaceAbove, spaceBelow)
  const isAbove = height > spaceBelow && spaceAbove > spaceBelow
  const maxHeight = coversAnchor
    ? windowHeight - 2 * windowMarginPx
    : Math.max(isAbove ? spaceAbove : spaceBelow, 80)
  popup.style.maxHeight = `${maxHeight}px`
  const width = popup.offsetWidth
  const leftEdge = align === 'end' ? anchorBox.right - width : anchorBox.left
  const visibleHeight = Math.min(height, maxHeight)
  const top = coversAnchor
    ? windowHeight - windowMarginPx - visibleHeight
    : isAbove
      ? anchorBox.top - anchorGapPx - visibleHeight
      : anchorBox.bottom + anchorGapPx
  popup.style.left = `${Math.max(windowMarginPx, Math.min(leftEdge, windowWidth - windowMarginPx - width))}px`
  popup.style.top = `${top}px`
}

type ElementRef = RefObject<HTMLElement | null>

/** Shows the popup in the top layer and keeps it beside its anchor. */
function usePlacement(
  ref: ElementRef,
  anchor: ElementRef,
  { align, matchWidth, cover }: PlacementOptions,
): void {
  useLayoutEffect(() => {
    const popup = ref.current
    if (!popup || !anchor.current) return
    popup.showPopover()
    const update = () => {
      if (anchor.current) placePopup(popup, anchor.current, { align, matchWidth, cover })
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
}

/** Closes on a press outside of the popup and its anchor, and when the focus moves there. */
function useCloseOutside(ref: ElementRef, anchor: ElementRef, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const closeOnOutside = (event: Event) => {
      const target = event.target
      if (!(target instanceof Node)) return
      if (!ref.current?.contains(target) && !anchor.current?.contains(target)) close()
    }
    document.addEventListener('pointerdown', closeOnOutside)
    document.addEventListener('focusin', closeOnOutside)
    return () => {
      document.removeEventListener('pointerdown', closeOnOutside)
      document.removeEventListener('focusin', closeOnOutside)
    }
  }, [anchor, ref])
}

/** Handles Esc while the focus is in the popup or its anchor. The anchor keeps the focus while the popup still loads. */
function useEscape(ref: ElementRef, anchor: ElementRef, onEscape: (() => void) | undefined): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!onEscape || event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onEscape()
  })
  useEffect(() => {
    const elements = [ref.current, anchor.current]
    const onKeyDown = (event: KeyboardEvent) => handleKey(event)
    for (const element of elements) element?.addEventListener('keydown', onKeyDown)
    return () => {
      for (const element of elements) element?.removeEventListener('keydown', onKeyDown)
    }
  }, [anchor, ref])
}

/**
 * A floating panel in the browser's top layer, beside its anchor. Render it only while it is open. It closes
 * on a press outside and when the focus leaves it and its anchor.
 */
export function Popup(props: PopupProps) {
  const { anchor, onClose, onEscape, align = 'start', matchWidth = false, cover = false, ...rest } = props
  const ref = useRef<HTMLDivElement>(null)
  usePlacement(ref, anchor, { align, matchWidth, cover })
  useCloseOutside(ref, anchor, onClose)
  useEscape(ref, anchor, onEscape)

  return (
    <div
      ref={ref}
      id={rest.id}
      popover="manual"
      role={rest.role}
      aria-label={rest.label}
      className={rest.className ? `${classes.popup} ${rest.className}` : classes.popup}
    >
      {rest.children}
    </div>
  )
}
