import { DailyReportPage } from '../reports/daily.page.tsx'
import { OffersReportPage, StreamsReportPage } from '../reports/group.page.tsx'
import { appTexts } from './app.texts.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

export function StatisticsTabs() {
  return (
    <TabbedPage
      label={titles.statistics}
      tabs={[
        { value: 'daily', label: tabs.daily, Page: DailyReportPage },
        { value: 'offers', label: tabs.offers, Page: OffersReportPage },
        { value: 'streams', label: tabs.streams, Page: StreamsReportPage },
      ]}
    />
  )
}
