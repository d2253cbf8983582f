import { createContext, useContext } from 'react'

/** The address of the shown page, and the ways to other pages. Pages that need no session use it. */
export interface PageLocation {
  readonly url: URL
  /** Opens a path of the product. Resolves when its page is shown. */
  readonly navigate: (to: string, options?: { readonly replace?: boolean }) => Promise<void>
  /** Fetches the code of a path's page ahead. Never throws. */
  readonly preload: (to: string) => void
}

export const PageLocationContext = createContext<PageLocation | null>(null)

/** Throws outside of a page. */
export function usePageLocation(): PageLocation {
  const location = useContext(PageLocationContext)
  if (location === null) throw new Error('Only a page has a location: provide PageLocationContext')
  return location
}
