import { appTexts } from './app.texts.ts'
import { createTabPreload, lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const lazyTabs = {
  inbox: lazyTab(async () => (await import('../features/alerts/inbox.page.tsx')).InboxPage),
  rules: lazyTab(async () => (await import('../features/alerts/rules.page.tsx')).AlertRulesPage),
}
export const preloadAlertsTab = createTabPreload(lazyTabs, 'inbox')

/** The own alerts and the rules that raise them. */
export function AlertsTabs() {
  return (
    <TabbedPage
      label={titles.alerts}
      tabs={[
        { value: 'inbox', label: tabs.inbox, ...lazyTabs.inbox },
        { value: 'rules', label: tabs.rules, ...lazyTabs.rules },
      ]}
    />
  )
}
