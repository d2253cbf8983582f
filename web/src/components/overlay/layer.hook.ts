import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { openLayer } from './layer.store.ts'

const firstField =
  '[data-autofocus],[data-layer-body] :is(input:not([type=hidden]),select,textarea):not(:disabled)'

/** Focuses the first field, now or as soon as a late form brings one; until then the panel has the focus. */
function focusInside(panel: HTMLElement): () => void {
  const field = panel.querySelector<HTMLElement>(firstField)
  if (field) {
    field.focus()
    return () => undefined
  }
  panel.focus()
  const watch = new MutationObserver(() => {
    const late = panel.querySelector<HTMLElement>(firstField)
    if (late && document.activeElement === panel) late.focus()
    if (late || document.activeElement !== panel) watch.disconnect()
  })
  watch.observe(panel, { childList: true, subtree: true })
  return () => watch.disconnect()
}

/** While `opened`, the layer is on top and holds the focus; afterwards the opener has it again. */
export function useLayer(
  opened: boolean,
  layer: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
  onEscape: () => void,
): void {
  const escape = useEffectEvent(onEscape)
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (!opened || !layer.current || !panel.current) return
    opener.current = document.activeElement
    const close = openLayer({ element: layer.current, onEscape: () => escape() })
    const stopWatching = focusInside(panel.current)
    return () => {
      stopWatching()
      close()
    }
  }, [opened, layer, panel])
  // Only after the commit: React itself restores the focus that it found before one.
  useEffect(() => {
    if (!opened) return
    return () => {
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    }
  }, [opened])
}

/** True while opened and `ms` longer, so that what closes can be seen closing. */
export function useMountedFor(opened: boolean, ms: number): boolean {
  const [leaving, setLeaving] = useState(false)
  const [was, setWas] = useState(opened)
  if (was !== opened) {
    setWas(opened)
    setLeaving(!opened)
  }
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => setLeaving(false), ms)
    return () => clearTimeout(timer)
  }, [leaving, ms])
  return opened || leaving
}
