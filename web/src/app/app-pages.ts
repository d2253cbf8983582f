import type { ComponentType } from 'react'

/** A page that needs a session. */
export interface AppPage {
  readonly load: () => Promise<ComponentType>
  /** For a page whose tabs have code of their own: loads the function that fetches a tab's code ahead. */
  readonly loadTabs?: () => Promise<(tab: string | undefined) => void>
}

/** The pages that need a session, by path. They are apart from the router, so that a page's code loads together with the router's. */
export const appPages = {
  '/parcels': { load: async () => (await import('../features/parcels/parcels.page.tsx')).ParcelsPage },
  '/uploads': {
    load: async () => (await import('./uploads.tabs.tsx')).UploadsTabs,
    loadTabs: async () => (await import('./uploads.tabs.tsx')).preloadUploadsTab,
  },
  '/users': {
    load: async () => (await import('./users.tabs.tsx')).UsersTabs,
    loadTabs: async () => (await import('./users.tabs.tsx')).preloadUsersTab,
  },
  '/audit': { load: async () => (await import('../features/audit/audit.page.tsx')).AuditPage },
  '/sessions': { load: async () => (await import('../features/sessions/sessions.page.tsx')).SessionsPage },
  '/settings/cpa-websites': {
    load: async () => (await import('./cpa-websites.tabs.tsx')).CpaWebsitesTabs,
    loadTabs: async () => (await import('./cpa-websites.tabs.tsx')).preloadCpaWebsitesTab,
  },
  '/settings/statuses': { load: async () => (await import('./statuses.tabs.tsx')).StatusesTabs },
  '/settings/courier': {
    load: async () =>
      (await import('../features/courier-accounts/courier-accounts.page.tsx')).CourierAccountsPage,
  },
  '/offers': { load: async () => (await import('../features/offers/offers.page.tsx')).OffersPage },
  '/streams': { load: async () => (await import('../features/streams/streams.page.tsx')).StreamsPage },
  '/statistics': {
    load: async () => (await import('./statistics.tabs.tsx')).StatisticsTabs,
    loadTabs: async () => (await import('./statistics.tabs.tsx')).preloadStatisticsTab,
  },
  '/explore': { load: async () => (await import('../features/explore/explore.page.tsx')).ExplorePage },
  '/money': {
    load: async () => (await import('./money.tabs.tsx')).MoneyTabs,
    loadTabs: async () => (await import('./money.tabs.tsx')).preloadMoneyTab,
  },
  '/settlements': {
    load: async () => (await import('./settlements.tabs.tsx')).SettlementsTabs,
    loadTabs: async () => (await import('./settlements.tabs.tsx')).preloadSettlementsTab,
  },
  '/leads': {
    load: async () => (await import('./leads.tabs.tsx')).LeadsTabs,
    loadTabs: async () => (await import('./leads.tabs.tsx')).preloadLeadsTab,
  },
  '/alerts': {
    load: async () => (await import('./alerts.tabs.tsx')).AlertsTabs,
    loadTabs: async () => (await import('./alerts.tabs.tsx')).preloadAlertsTab,
  },
  '/profile': { load: async () => (await import('./profile.screen.tsx')).ProfileScreen },
  '/components-demo': {
    load: async () =>
      (await import('../features/components-demo/components-demo.page.tsx')).ComponentsDemoPage,
  },
} satisfies Record<string, AppPage>

const isAppPath = (path: string): path is keyof typeof appPages => Object.hasOwn(appPages, path)

/** Fetches the code of a page and of its tab ahead. An unknown address leads to the parcels. */
export async function preloadAppPage({ pathname, searchParams }: URL): Promise<void> {
  const path = pathname.replace(/\/$/, '')
  const page: AppPage = appPages[isAppPath(path) ? path : '/parcels']
  const preloadTab = await page.loadTabs?.()
  preloadTab?.(searchParams.get('tab') ?? undefined)
  await page.load()
}
