import { lazy } from 'react'
import { WithdrawalsPage } from '../features/payouts/withdrawals.page.tsx'
import { appTexts } from './app.texts.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const Accounts = lazy(async () => ({
  default: (await import('../features/ledger/accounts.page.tsx')).AccountsPage,
}))
const Entries = lazy(async () => ({
  default: (await import('../features/ledger/entries.page.tsx')).EntriesPage,
}))
const PayoutTerms = lazy(async () => ({
  default: (await import('../features/payouts/payout-terms.page.tsx')).PayoutTermsPage,
}))
const Statements = lazy(async () => ({
  default: (await import('../features/payouts/statements.page.tsx')).StatementsPage,
}))
const Acts = lazy(async () => ({
  default: (await import('../features/settlements/acts.page.tsx')).SettlementActsPage,
}))
const Differences = lazy(async () => ({
  default: (await import('../features/settlements/differences.page.tsx')).SettlementDifferencesPage,
}))
const Tariffs = lazy(async () => ({
  default: (await import('../features/courier-tariffs/courier-tariffs.page.tsx')).CourierTariffsPage,
}))

/** The settlements with people, networks and the courier, for admins. */
export function SettlementsTabs() {
  return (
    <TabbedPage
      label={titles.settlements}
      tabs={[
        { value: 'withdrawals', label: tabs.withdrawals, Page: WithdrawalsPage },
        { value: 'accounts', label: tabs.accounts, Page: Accounts },
        { value: 'entries', label: tabs.entries, Page: Entries },
        { value: 'statements', label: tabs.statements, Page: Statements },
        { value: 'acts', label: tabs.acts, Page: Acts, feature: 'settlements' },
        { value: 'differences', label: tabs.differences, Page: Differences, feature: 'settlements' },
        { value: 'tariffs', label: tabs.tariffs, Page: Tariffs, feature: 'settlements' },
        { value: 'terms', label: tabs.payoutTerms, Page: PayoutTerms },
      ]}
    />
  )
}
