import { CpaSourcesPage } from '../features/cpa-sources/cpa-sources.page.tsx'
import { appTexts } from './app.texts.ts'
import { createTabPreload, lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const lazyTabs = {
  credentials: lazyTab(
    async () => (await import('../features/cpa-websites/cpa-websites.page.tsx')).CpaWebsitesPage,
  ),
  connectors: lazyTab(
    async () => (await import('../features/connectors/connectors.page.tsx')).ConnectorsPage,
  ),
}
export const preloadCpaWebsitesTab = createTabPreload(lazyTabs)

export function CpaWebsitesTabs() {
  return (
    <TabbedPage
      label={titles.cpa}
      tabs={[
        { value: 'sources', label: tabs.sources, Page: CpaSourcesPage },
        { value: 'credentials', label: tabs.credentials, ...lazyTabs.credentials },
        { value: 'connectors', label: tabs.connectors, ...lazyTabs.connectors, feature: 'fetching' },
      ]}
    />
  )
}
