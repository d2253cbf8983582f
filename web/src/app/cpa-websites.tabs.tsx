import { ConnectorsPage } from '../features/connectors/connectors.page.tsx'
import { CpaSourcesPage } from '../features/cpa-sources/cpa-sources.page.tsx'
import { CpaWebsitesPage } from '../features/cpa-websites/cpa-websites.page.tsx'
import { appTexts } from './app.texts.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

export function CpaWebsitesTabs() {
  return (
    <TabbedPage
      label={titles.cpa}
      tabs={[
        { value: 'sources', label: tabs.sources, Page: CpaSourcesPage },
        { value: 'credentials', label: tabs.credentials, Page: CpaWebsitesPage },
        { value: 'connectors', label: tabs.connectors, Page: ConnectorsPage, feature: 'fetching' },
      ]}
    />
  )
}
