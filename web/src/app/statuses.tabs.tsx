import { SourceStatusesPage } from '../features/source-statuses/source-statuses.page.tsx'
import { StatusTypesPage } from '../features/status-types/status-types.page.tsx'
import { StatusesPage } from '../features/statuses/statuses.page.tsx'
import { appTexts } from './app.texts.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

export function StatusesTabs() {
  return (
    <TabbedPage
      label={titles.statuses}
      tabs={[
        { value: 'status-types', label: tabs.statusTypes, Page: StatusTypesPage },
        { value: 'statuses', label: tabs.statuses, Page: StatusesPage },
        { value: 'source-statuses', label: tabs.sourceStatuses, Page: SourceStatusesPage },
      ]}
    />
  )
}
