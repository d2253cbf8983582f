import type { ComponentType } from 'react'
import { getSession } from '../lib/session.store.ts'
import { preloadAppPage } from './app-pages.ts'
import { canOpen, findPublicPage, getHome } from './public-pages.ts'

/** What the window shows: a public page, or the app that a session opens. */
export interface AppScreen {
  readonly url: URL
  readonly Page: ComponentType
  /** The app has a router of its own. */
  readonly isApp: boolean
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
    if (isOpen) return { url, Page, isApp: false }
  }
  if (!page && getSession()) {
    // In parallel with the app. A failure shows when the app opens the page.
    void preloadAppPage(url).catch(() => undefined)
    const { loadApp } = await import('./app.tsx')
    return { url, Page: await loadApp(), isApp: true }
  }
  window.history.replaceState(null, '', getHome())
  return loadScreen()
}

/** Fetches the code of a path ahead: of a public page, or of the app and the page in it. */
export async function preloadScreen(to: string): Promise<void> {
  const page = findPublicPage(to)
  const code = page
    ? [page.load()]
    : [import('./app.tsx'), import('./shell.tsx'), preloadAppPage(new URL(to, window.location.href))]
  // A failure shows when the page is opened.
  await Promise.allSettled(code)
}
