import { isAdmin, useSession } from '../lib/session.store.ts'
import { DailyReportPage } from '../features/reports/daily.page.tsx'
import { OffersReportPage, StreamsReportPage } from '../features/reports/group.page.tsx'
import { appTexts } from './app.texts.ts'
import { lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const money = lazyTab(async () => (await import('../features/reports/money.page.tsx')).MoneyReportPage)

/** The statistics pages. Only admins have the money report. */
export function StatisticsTabs() {
  const admin = isAdmin(useSession())
  return (
    <TabbedPage
      label={titles.statistics}
      tabs={[
        { value: 'daily', label: tabs.daily, Page: DailyReportPage },
        { value: 'offers', label: tabs.offers, Page: OffersReportPage },
        { value: 'streams', label: tabs.streams, Page: StreamsReportPage },
        ...(admin ? [{ value: 'money', label: tabs.money, ...money, feature: 'money' as const }] : []),
      ]}
    />
  )
}
