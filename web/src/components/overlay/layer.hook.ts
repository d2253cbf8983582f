import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { focusRemaining, listAncestors } from '../focus-remaining.ts'
import { openLayer } from './layer.store.ts'
import { deliverTyping, startTypingCapture, stopTypingCapture } from './typing-capture.ts'

const firstFieldSelector =
  '[data-autofocus],[data-layer-body] :is(input:not([type=hidden]),select,textarea):not(:disabled)'

/** The first field of a form. The selects of a list are below its rows, or only for phones. */
const findFirstField = (panel: HTMLElement): HTMLElement | undefined =>
  [...panel.querySelectorAll<HTMLElement>(firstFieldSelector)].find((field) => !field.closest('[data-list]'))

/** Marks the placeholder of a form that still loads. */
const loadingForm = '[data-form-loading]'

/**
 * Focuses the first field. While a form still loads, the panel has the focus and typed keys are captured for the
 * first field.
 */
function focusInside(panel: HTMLElement): () => void {
  const field = findFirstField(panel)
  if (field) {
    field.focus()
    deliverTyping(field)
    return () => undefined
  }
  panel.focus()
  if (panel.querySelector(loadingForm)) startTypingCapture()
  else stopTypingCapture()
  const observer = new MutationObserver(() => {
    const newField = findFirstField(panel)
    const hasFocus = document.activeElement === panel
    if (newField && hasFocus) {
      newField.focus()
      deliverTyping(newField)
    } else if (!hasFocus || !panel.querySelector(loadingForm)) stopTypingCapture()
    if (newField || !hasFocus) observer.disconnect()
  })
  observer.observe(panel, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    stopTypingCapture()
  }
}

interface Layer {
  readonly layer: RefObject<HTMLElement | null>
  readonly panel: RefObject<HTMLElement | null>
  readonly onEscape: () => void
}

/**
 * While `isOpen`, the layer is on top and has the focus. On closing the focus returns to the opener. If the opener was
 * removed, a row or a button of the closest element around it that remains gets the focus.
 */
export function useLayer(isOpen: boolean, { layer, panel, onEscape }: Layer): void {
  const escape = useEffectEvent(onEscape)
  const opener = useRef<Element[]>([])
  useLayoutEffect(() => {
    if (!isOpen || !layer.current || !panel.current) return
    opener.current = listAncestors(document.activeElement)
    const close = openLayer({ element: layer.current, onEscape: () => escape() })
    const stopWatching = focusInside(panel.current)
    return () => {
      stopWatching()
      close()
    }
  }, [isOpen, layer, panel])
  // An effect, because React restores the focus of before a commit when the commit ends.
  useEffect(() => {
    if (!isOpen) return
    return () => {
      focusRemaining(opener.current)
    }
  }, [isOpen])
}

/**
 * The number of the opening while opened and for `ms` milliseconds after, so that the closing is animated. Null at other
 * times.
 */
export function useOpeningNumber(isOpen: boolean, ms: number): number | null {
  const [isLeaving, setIsLeaving] = useState(false)
  const [opening, setOpening] = useState({ isOpen, count: 0 })
  if (opening.isOpen !== isOpen) {
    setOpening({ isOpen, count: opening.count + (isOpen ? 1 : 0) })
    setIsLeaving(!isOpen)
  }
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => setIsLeaving(false), ms)
    return () => clearTimeout(timer)
  }, [isLeaving, ms])
  return isOpen || isLeaving ? opening.count : null
}
