import { lazy } from 'react'
import { BalancePage } from '../features/payouts/balance.page.tsx'
import { appTexts } from './app.texts.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const OwnEntries = lazy(async () => ({
  default: (await import('../features/payouts/own-entries.page.tsx')).OwnEntriesPage,
}))
const OwnWithdrawals = lazy(async () => ({
  default: (await import('../features/payouts/withdrawals.page.tsx')).OwnWithdrawalsPage,
}))
const OwnStatements = lazy(async () => ({
  default: (await import('../features/payouts/statements.page.tsx')).OwnStatementsPage,
}))
const OwnActs = lazy(async () => ({
  default: (await import('../features/settlements/acts.page.tsx')).OwnSettlementActsPage,
}))

/** The own money: the balance, what it consists of, the withdrawals and the closed periods. */
export function MoneyTabs() {
  return (
    <TabbedPage
      label={titles.money}
      tabs={[
        { value: 'balance', label: tabs.balance, Page: BalancePage },
        { value: 'history', label: tabs.history, Page: OwnEntries },
        { value: 'withdrawals', label: tabs.withdrawals, Page: OwnWithdrawals },
        { value: 'acts', label: tabs.acts, Page: OwnActs, feature: 'settlements' },
        { value: 'statements', label: tabs.statements, Page: OwnStatements },
      ]}
    />
  )
}
