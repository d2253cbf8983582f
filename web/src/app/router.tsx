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
import { appPages } from './app-pages.ts'
import { AppLocation } from './app-location.tsx'
import { PageFailed } from './page-failed.tsx'
import { preloadTabs } from './preload-tabs.ts'
import { parseSearch, stringifySearch } from './search-text.ts'
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

const loadPageLazily = (path: keyof typeof appPages) =>
  lazyRouteComponent(async () => ({ default: await appPages[path].load() }))

/** Screens that need a session. The server checks what a role may do. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: () => {
    if (!getSession()) redirect({ to: '/login', throw: true })
  },
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
})

const uploads = createRoute({
  getParentRoute: () => app,
  path: '/uploads',
  beforeLoad: guard({ feature: 'telegram_queue' }),
  validateSearch: readListSearch,
  staticData: { title: titles.uploads },
  ...preloadTabs(appPages['/uploads']),
  component: loadPageLazily('/uploads'),
})

const parcels = createRoute({
  getParentRoute: () => app,
  path: '/parcels',
  validateSearch: readListSearch,
  staticData: { title: titles.parcels, russian: true },
  component: loadPageLazily('/parcels'),
})

const users = createRoute({
  getParentRoute: () => app,
  path: '/users',
  validateSearch: readListSearch,
  staticData: { title: titles.users },
  ...preloadTabs(appPages['/users']),
  component: loadPageLazily('/users'),
})

const audit = createRoute({
  getParentRoute: () => app,
  path: '/audit',
  beforeLoad: guard({ feature: 'audit' }),
  validateSearch: readListSearch,
  staticData: { title: titles.audit },
  component: loadPageLazily('/audit'),
})

const sessions = createRoute({
  getParentRoute: () => app,
  path: '/sessions',
  beforeLoad: guard({ feature: 'sessions' }),
  validateSearch: readListSearch,
  staticData: { title: titles.sessions },
  component: loadPageLazily('/sessions'),
})

const cpaWebsites = createRoute({
  getParentRoute: () => app,
  path: '/settings/cpa-websites',
  validateSearch: readListSearch,
  staticData: { title: titles.cpa },
  ...preloadTabs(appPages['/settings/cpa-websites']),
  component: loadPageLazily('/settings/cpa-websites'),
})

const statuses = createRoute({
  getParentRoute: () => app,
  path: '/settings/statuses',
  validateSearch: readListSearch,
  staticData: { title: titles.statuses },
  component: loadPageLazily('/settings/statuses'),
})

const courier = createRoute({
  getParentRoute: () => app,
  path: '/settings/courier',
  beforeLoad: guard({ feature: 'fetching' }),
  validateSearch: readListSearch,
  staticData: { title: titles.courier },
  component: loadPageLazily('/settings/courier'),
})

const offers = createRoute({
  getParentRoute: () => app,
  path: '/offers',
  validateSearch: readListSearch,
  staticData: { title: titles.offers },
  component: loadPageLazily('/offers'),
})

const streams = createRoute({
  getParentRoute: () => app,
  path: '/streams',
  validateSearch: readListSearch,
  staticData: { title: titles.streams },
  component: loadPageLazily('/streams'),
})

const statistics = createRoute({
  getParentRoute: () => app,
  path: '/statistics',
  validateSearch: readListSearch,
  staticData: { title: titles.statistics },
  ...preloadTabs(appPages['/statistics']),
  component: loadPageLazily('/statistics'),
})

const explore = createRoute({
  getParentRoute: () => app,
  path: '/explore',
  beforeLoad: guard({ feature: 'explore' }),
  validateSearch: readListSearch,
  staticData: { title: titles.explore },
  component: loadPageLazily('/explore'),
})

const alerts = createRoute({
  getParentRoute: () => app,
  path: '/alerts',
  beforeLoad: guard({ feature: 'alerts' }),
  validateSearch: readListSearch,
  staticData: { title: titles.alerts },
  ...preloadTabs(appPages['/alerts']),
  component: loadPageLazily('/alerts'),
})

const leads = createRoute({
  getParentRoute: () => app,
  path: '/leads',
  beforeLoad: guard({ feature: 'leads' }),
  validateSearch: readListSearch,
  staticData: { title: titles.leads },
  ...preloadTabs(appPages['/leads']),
  component: loadPageLazily('/leads'),
})

const money = createRoute({
  getParentRoute: () => app,
  path: '/money',
  beforeLoad: guard({ feature: 'payouts' }),
  validateSearch: readListSearch,
  staticData: { title: titles.money },
  ...preloadTabs(appPages['/money']),
  component: loadPageLazily('/money'),
})

const settlements = createRoute({
  getParentRoute: () => app,
  path: '/settlements',
  beforeLoad: guard({ feature: 'payouts' }),
  validateSearch: readListSearch,
  staticData: { title: titles.settlements },
  ...preloadTabs(appPages['/settlements']),
  component: loadPageLazily('/settlements'),
})

const profile = createRoute({
  getParentRoute: () => app,
  path: '/profile',
  beforeLoad: guard({ feature: 'profile' }),
  staticData: { title: titles.profile },
  component: loadPageLazily('/profile'),
})

const components = createRoute({
  getParentRoute: () => app,
  path: '/components-demo',
  staticData: { title: titles.components },
  component: loadPageLazily('/components-demo'),
})

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
    parcels,
    uploads,
    users,
    audit,
    sessions,
    cpaWebsites,
    statuses,
    courier,
    offers,
    streams,
    statistics,
    explore,
    money,
    settlements,
    alerts,
    leads,
    profile,
    components,
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
