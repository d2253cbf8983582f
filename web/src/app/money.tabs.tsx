import { appTexts } from './app.texts.ts'
import { createTabPreload, lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const lazyTabs = {
  balance: lazyTab(async () => (await import('../features/payouts/balance.page.tsx')).BalancePage),
  history: lazyTab(async () => (await import('../features/payouts/own-entries.page.tsx')).OwnEntriesPage),
  withdrawals: lazyTab(
    async () => (await import('../features/payouts/withdrawals.page.tsx')).OwnWithdrawalsPage,
  ),
  statements: lazyTab(
    async () => (await import('../features/payouts/statements.page.tsx')).OwnStatementsPage,
  ),
  acts: lazyTab(async () => (await import('../features/settlements/acts.page.tsx')).OwnSettlementActsPage),
}
export const preloadMoneyTab = createTabPreload(lazyTabs, 'balance')

/** The own money: the balance, what it consists of, the withdrawals and the closed periods. */
export function MoneyTabs() {
  return (
    <TabbedPage
      label={titles.money}
      tabs={[
        { value: 'balance', label: tabs.balance, ...lazyTabs.balance },
        { value: 'history', label: tabs.history, ...lazyTabs.history },
        { value: 'withdrawals', label: tabs.withdrawals, ...lazyTabs.withdrawals },
        { value: 'acts', label: tabs.acts, ...lazyTabs.acts, feature: 'settlements' },
        { value: 'statements', label: tabs.statements, ...lazyTabs.statements },
      ]}
    />
  )
}
