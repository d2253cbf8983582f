import type { ComponentType } from 'react'
import { getSession } from '../lib/session.store.ts'
import { preloadDeskPage } from './desk-pages.ts'
import { canOpen, findPublicPage, getHome } from './public-pages.ts'

/** What the window shows: a page without a session, or the desk. */
export interface AppScreen {
  readonly url: URL
  readonly Page: ComponentType
  /** The desk has a router of its own. */
  readonly isDesk: boolean
}

/**
 * The screen of the current address. An address that cannot be opened is replaced. Rejects when code cannot be
 * loaded.
 */
export async function loadScreen(): Promise<AppScreen> {
  const url = new URL(window.location.href)
  const page = findPublicPage(url.pathname)
  if (page) {
    const [isOpen, Page] = await Promise.all([canOpen(page), page.load()])
    if (isOpen) return { url, Page, isDesk: false }
  }
  if (!page && getSession()) {
    // In parallel with the desk. A failure shows when the desk opens the page.
    void preloadDeskPage(url).catch(() => undefined)
    const { loadDesk } = await import('./app.tsx')
    return { url, Page: await loadDesk(), isDesk: true }
  }
  window.history.replaceState(null, '', getHome())
  return loadScreen()
}

/** Fetches the code of a path's page ahead, for the desk that of its first page. */
export async function preloadScreen(to: string): Promise<void> {
  const page = findPublicPage(to)
  const code = page
    ? [page.load()]
    : [import('./app.tsx'), import('./shell.tsx'), preloadDeskPage(new URL(to, window.location.href))]
  // A failure shows when the page is opened.
  await Promise.allSettled(code)
}
