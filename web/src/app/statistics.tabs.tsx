import { Link } from '@tanstack/react-router'
import { isAdmin, useSession } from '../lib/session.store.ts'
import { isAnnounced, useFeature, useFeatureSpace } from '../lib/settings.store.ts'
import { appTexts } from './app.texts.ts'
import classes from './statistics.module.css'
import { createTabPreload, lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const networkMoney = lazyTab(
  async () => (await import('../features/network-money/network-money.page.tsx')).NetworkMoneyPage,
)
const moneyReport = lazyTab(async () => (await import('../features/reports/money.page.tsx')).MoneyReportPage)

const reportTabs = {
  daily: lazyTab(async () => (await import('../features/reports/daily.page.tsx')).DailyReportPage),
  offers: lazyTab(async () => (await import('../features/reports/group.page.tsx')).OffersReportPage),
  streams: lazyTab(async () => (await import('../features/reports/group.page.tsx')).StreamsReportPage),
}

const lazyTabs = {
  ...reportTabs,
  money: { preload: () => (isAnnounced('network_money') ? networkMoney : moneyReport).preload() },
}
export const preloadStatisticsTab = createTabPreload(lazyTabs, 'daily')

/**
 * The statistics pages. Only admins have the tab of money: the accounts at the networks, or the money report of a host
 * that does not compare accounts.
 */
export function StatisticsTabs() {
  const admin = isAdmin(useSession())
  const hasExplore = useFeature('explore')
  const hasExplorePlace = useFeatureSpace('explore')
  const money = useFeature('network_money')
    ? { ...networkMoney, feature: 'network_money' as const }
    : { ...moneyReport, feature: 'money' as const }
  return (
    <TabbedPage
      label={titles.statistics}
      aside={
        hasExplorePlace && (
          <p className={classes.link}>
            {hasExplore ? <Link to="/explore">{appTexts.exploreLink}</Link> : '\u00a0'}
          </p>
        )
      }
      tabs={[
        { value: 'daily', label: tabs.daily, ...reportTabs.daily },
        { value: 'offers', label: tabs.offers, ...reportTabs.offers },
        { value: 'streams', label: tabs.streams, ...reportTabs.streams },
        ...(admin ? [{ value: 'money', label: tabs.money, ...money }] : []),
      ]}
    />
  )
}
