import { WithdrawalsPage } from '../features/payouts/withdrawals.page.tsx'
import { appTexts } from './app.texts.ts'
import { lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const accounts = lazyTab(async () => (await import('../features/ledger/accounts.page.tsx')).AccountsPage)
const entries = lazyTab(async () => (await import('../features/ledger/entries.page.tsx')).EntriesPage)
const payoutTerms = lazyTab(
  async () => (await import('../features/payouts/payout-terms.page.tsx')).PayoutTermsPage,
)
const statements = lazyTab(
  async () => (await import('../features/payouts/statements.page.tsx')).StatementsPage,
)
const acts = lazyTab(async () => (await import('../features/settlements/acts.page.tsx')).SettlementActsPage)
const differences = lazyTab(
  async () => (await import('../features/settlements/differences.page.tsx')).SettlementDifferencesPage,
)
const tariffs = lazyTab(
  async () => (await import('../features/courier-tariffs/courier-tariffs.page.tsx')).CourierTariffsPage,
)

/** The settlements with people, networks and the courier, for admins. */
export function SettlementsTabs() {
  return (
    <TabbedPage
      label={titles.settlements}
      tabs={[
        { value: 'withdrawals', label: tabs.withdrawals, Page: WithdrawalsPage },
        { value: 'accounts', label: tabs.accounts, ...accounts },
        { value: 'entries', label: tabs.entries, ...entries },
        { value: 'statements', label: tabs.statements, ...statements },
        { value: 'acts', label: tabs.acts, ...acts, feature: 'settlements' },
        { value: 'differences', label: tabs.differences, ...differences, feature: 'settlements' },
        { value: 'tariffs', label: tabs.tariffs, ...tariffs, feature: 'settlements' },
        { value: 'terms', label: tabs.payoutTerms, ...payoutTerms },
      ]}
    />
  )
}
