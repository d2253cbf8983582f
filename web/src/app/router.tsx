import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { findDraftAddress } from '../lib/session.draft.ts'
import { getSession } from '../lib/session.store.ts'
import { readListSearch } from '../lib/table-state.ts'
import { appTexts } from './app.texts.ts'
import { appPages, type AppPage } from './app-pages.ts'
import { AppLocation } from './app-location.tsx'
import { loadPageCode } from './page-code.ts'
import { PageFailed } from './page-failed.tsx'
import { preloadTabs } from './preload-tabs.ts'
import { parseSearch, stringifySearch } from './url-search.ts'
import { canOpen, getHome, publicPages, type Access, type PublicPage } from './public-pages.ts'

const { titles } = appTexts

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's own name, shown in the header. */
    title?: string
    /** The page is in Russian while no language is picked. */
    russian?: boolean
    /** The page is open to anybody. Losing the session changes nothing on it. */
    open?: boolean
  }
}

/** Leads home, or back to a form that was left by the end of the session. */
const redirectHome = () => redirect({ href: findDraftAddress() ?? getHome(), throw: true })

/** Guards a page. A page that cannot be opened is like any unknown path. */
const guard = (access: Access) => async () => {
  if (!(await canOpen(access))) redirectHome()
}

const root = createRootRoute({ component: AppLocation })

const createHomeRoute = <Path extends string>(path: Path) =>
  createRoute({ getParentRoute: () => root, path, beforeLoad: redirectHome })
const index = createHomeRoute('/')
const unknownRoute = createHomeRoute('$')
const dashboard = createHomeRoute('/dashboard')

/** Losing the session changes nothing on a public page that signed-in people see, too. */
const createPublicRoute = <Path extends keyof typeof publicPages>(path: Path) => {
  const page: PublicPage = publicPages[path]
  return createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: guard(page),
    staticData: { open: page.guest !== true },
    component: lazyRouteComponent(async () => ({ default: await page.load() })),
  })
}

/** The frame of the screens that need a session. The server checks what a role may do. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: () => {
    if (!getSession()) redirect({ to: '/login', throw: true })
  },
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
})

type ScreenOptions = Pick<Access, 'feature'> & {
  /** The page is in Russian while no language is picked. */
  russian?: boolean
}

/** A screen that needs a session, with its own name. */
const createScreen = <Path extends keyof typeof appPages>(
  path: Path,
  title: string,
  { russian = false, ...access }: ScreenOptions = {},
) => {
  const page: AppPage = appPages[path]
  return createRoute({
    getParentRoute: () => app,
    path,
    beforeLoad: guard(access),
    validateSearch: readListSearch,
    staticData: { title, russian },
    ...(page.loadTabs && preloadTabs(page.loadTabs)),
    component: lazyRouteComponent(async () => ({ default: await loadPageCode(page.load) })),
  })
}

const routeTree = root.addChildren([
  index,
  dashboard,
  createPublicRoute('/login'),
  createPublicRoute('/register'),
  createPublicRoute('/forgot-password'),
  createPublicRoute('/reset-password'),
  createPublicRoute('/track'),
  createPublicRoute('/track/$orderno'),
  app.addChildren([
    createScreen('/parcels', titles.parcels, { russian: true }),
    createScreen('/uploads', titles.uploads, { feature: 'telegram_queue' }),
    createScreen('/users', titles.users),
    createScreen('/audit', titles.audit, { feature: 'audit' }),
    createScreen('/sessions', titles.sessions, { feature: 'sessions' }),
    createScreen('/settings/cpa-websites', titles.cpa),
    createScreen('/settings/statuses', titles.statuses),
    createScreen('/settings/courier', titles.courier, { feature: 'fetching' }),
    createScreen('/offers', titles.offers),
    createScreen('/streams', titles.streams),
    createScreen('/statistics', titles.statistics),
    createScreen('/explore', titles.explore, { feature: 'explore' }),
    createScreen('/money', titles.money, { feature: 'payouts' }),
    createScreen('/settlements', titles.settlements, { feature: 'payouts' }),
    createScreen('/alerts', titles.alerts, { feature: 'alerts' }),
    createScreen('/leads', titles.leads, { feature: 'leads' }),
    createScreen('/profile', titles.profile, { feature: 'profile' }),
    createScreen('/components-demo', titles.components),
  ]),
  unknownRoute,
])

/** All screens of specification section 2, with their redirects. Search values are plain text. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
