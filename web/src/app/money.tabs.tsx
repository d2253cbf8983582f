import { BalancePage } from '../features/payouts/balance.page.tsx'
import { appTexts } from './app.texts.ts'
import { lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const ownEntries = lazyTab(
  async () => (await import('../features/payouts/own-entries.page.tsx')).OwnEntriesPage,
)
const ownWithdrawals = lazyTab(
  async () => (await import('../features/payouts/withdrawals.page.tsx')).OwnWithdrawalsPage,
)
const ownStatements = lazyTab(
  async () => (await import('../features/payouts/statements.page.tsx')).OwnStatementsPage,
)
const ownActs = lazyTab(
  async () => (await import('../features/settlements/acts.page.tsx')).OwnSettlementActsPage,
)

/** The own money: the balance, what it consists of, the withdrawals and the closed periods. */
export function MoneyTabs() {
  return (
    <TabbedPage
      label={titles.money}
      tabs={[
        { value: 'balance', label: tabs.balance, Page: BalancePage },
        { value: 'history', label: tabs.history, ...ownEntries },
        { value: 'withdrawals', label: tabs.withdrawals, ...ownWithdrawals },
        { value: 'acts', label: tabs.acts, ...ownActs, feature: 'settlements' },
        { value: 'statements', label: tabs.statements, ...ownStatements },
      ]}
    />
  )
}
