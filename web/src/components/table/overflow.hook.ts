import { type RefObject, useLayoutEffect } from 'react'

/**
 * Sets `data-overflows` on a box when its table is wider than the box. It sets the attribute on the element itself, so
 * that measuring causes no render.
 */
export function useOverflow(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (!element || !table) return
    const sizes = new ResizeObserver(() =>
      element.toggleAttribute('data-overflows', table.offsetWidth > element.clientWidth),
    )
    sizes.observe(element)
    sizes.observe(table)
    return () => sizes.disconnect()
  }, [box])
}
