import { useSyncExternalStore } from 'react'

/**
 * The breakpoint of the shell: sidebars hide and rows become cards at this width and below (specification,
 * section 9).
 */
export const phoneQuery = '(max-width: 768px)'

/** The width below which a detail does not fit beside its list. */
export const narrowQuery = '(max-width: 1100px)'

/** Whether a media query matches now. Updates when that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', notify)
      return () => list.removeEventListener('change', notify)
    },
    () => window.matchMedia(query).matches,
  )
}
