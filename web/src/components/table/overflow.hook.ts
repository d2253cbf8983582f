import { type RefObject, useLayoutEffect } from 'react'

/**
 * While `watched`, marks a box with `data-overflows` whenever the table in it is wider than the box is. On the
 * element itself, so that measuring draws nothing anew.
 */
export function useOverflow(box: RefObject<HTMLElement | null>, watched: boolean): void {
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (!watched || !element || !table) return
    const sizes = new ResizeObserver(() =>
      element.toggleAttribute('data-overflows', table.offsetWidth > element.clientWidth),
    )
    sizes.observe(element)
    sizes.observe(table)
    return () => sizes.disconnect()
  }, [box, watched])
}
