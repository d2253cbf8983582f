import { CpaSourcesPage } from '../features/cpa-sources/cpa-sources.page.tsx'
import { appTexts } from './app.texts.ts'
import { lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const credentials = lazyTab(
  async () => (await import('../features/cpa-websites/cpa-websites.page.tsx')).CpaWebsitesPage,
)
const connectors = lazyTab(
  async () => (await import('../features/connectors/connectors.page.tsx')).ConnectorsPage,
)

export function CpaWebsitesTabs() {
  return (
    <TabbedPage
      label={titles.cpa}
      tabs={[
        { value: 'sources', label: tabs.sources, Page: CpaSourcesPage },
        { value: 'credentials', label: tabs.credentials, ...credentials },
        { value: 'connectors', label: tabs.connectors, ...connectors, feature: 'fetching' },
      ]}
    />
  )
}
