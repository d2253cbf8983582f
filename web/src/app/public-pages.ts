import type { ComponentType } from 'react'
import type { Call } from '@karvon/contract/lib/call.ts'
import { getSession } from '../lib/session.store.ts'
import { loadSettings } from '../lib/settings.query.ts'
import { isAnnounced } from '../lib/settings.store.ts'

/** Who can open a page beyond the server's own checks. */
export interface Access {
  /** The feature that the host must announce. */
  readonly feature?: Call['feature']
  /** Only for people without a session. */
  readonly guest?: boolean
}

/** A page that needs no session. */
export interface PublicPage extends Access {
  readonly load: () => Promise<ComponentType>
}

const loadTracking = async () => (await import('../features/tracking/track.page.tsx')).TrackPage

/** The pages that need no session, by path. Their code has neither the router nor the query cache. */
export const publicPages = {
  '/login': {
    guest: true,
    load: async () => (await import('../features/auth/login.page.tsx')).LoginPage,
  },
  '/register': {
    guest: true,
    load: async () => (await import('../features/auth/register.page.tsx')).RegisterPage,
  },
  '/forgot-password': {
    guest: true,
    load: async () => (await import('../features/auth/forgot-password.page.tsx')).ForgotPasswordPage,
  },
  // For anybody who has a link, signed in or not.
  '/reset-password': {
    feature: 'password_reset',
    load: async () => (await import('../features/auth/reset-password.page.tsx')).ResetPasswordPage,
  },
  '/track': { feature: 'tracking', load: loadTracking },
  '/track/$orderno': { feature: 'tracking', load: loadTracking },
} satisfies Record<string, PublicPage>

const isPublicPath = (path: string): path is keyof typeof publicPages => Object.hasOwn(publicPages, path)

/** The public page of a pathname. Any other pathname belongs to the app. */
export function findPublicPage(pathname: string): PublicPage | undefined {
  const path = pathname
    .toLowerCase()
    .replace(/\/$/, '')
    .replace(/^\/track\/[^/]+$/, '/track/$orderno')
  return isPublicPath(path) ? publicPages[path] : undefined
}

/** Whether a page can be opened. Waits for the settings where they decide. */
export async function canOpen({ feature, guest = false }: Access): Promise<boolean> {
  if (guest && getSession()) return false
  return isAnnounced(feature) || isAnnounced(feature, await loadSettings())
}

/** The page that opens instead of one that cannot be opened. */
export const getHome = (): '/parcels' | '/login' => (getSession() ? '/parcels' : '/login')
