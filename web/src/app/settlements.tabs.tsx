import { appTexts } from './app.texts.ts'
import { createTabPreload, lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const lazyTabs = {
  withdrawals: lazyTab(
    async () => (await import('../features/payouts/withdrawals.page.tsx')).WithdrawalsPage,
  ),
  registries: lazyTab(
    async () => (await import('../features/payouts/registries.page.tsx')).PaymentRegistriesPage,
  ),
  accounts: lazyTab(async () => (await import('../features/ledger/accounts.page.tsx')).AccountsPage),
  entries: lazyTab(async () => (await import('../features/ledger/entries.page.tsx')).EntriesPage),
  terms: lazyTab(async () => (await import('../features/payouts/payout-terms.page.tsx')).PayoutTermsPage),
  statements: lazyTab(async () => (await import('../features/payouts/statements.page.tsx')).StatementsPage),
  acts: lazyTab(async () => (await import('../features/settlements/acts.page.tsx')).SettlementActsPage),
  differences: lazyTab(
    async () => (await import('../features/settlements/differences.page.tsx')).SettlementDifferencesPage,
  ),
  tariffs: lazyTab(
    async () => (await import('../features/courier-tariffs/courier-tariffs.page.tsx')).CourierTariffsPage,
  ),
}
export const preloadSettlementsTab = createTabPreload(lazyTabs, 'withdrawals')

/** The settlements with people, networks and the courier, for admins. */
export function SettlementsTabs() {
  return (
    <TabbedPage
      label={titles.settlements}
      tabs={[
        { value: 'withdrawals', label: tabs.withdrawals, ...lazyTabs.withdrawals },
        { value: 'registries', label: tabs.registries, ...lazyTabs.registries },
        { value: 'accounts', label: tabs.accounts, ...lazyTabs.accounts },
        { value: 'entries', label: tabs.entries, ...lazyTabs.entries },
        { value: 'statements', label: tabs.statements, ...lazyTabs.statements },
        { value: 'acts', label: tabs.acts, ...lazyTabs.acts, feature: 'settlements' },
        { value: 'differences', label: tabs.differences, ...lazyTabs.differences, feature: 'settlements' },
        { value: 'tariffs', label: tabs.tariffs, ...lazyTabs.tariffs, feature: 'settlements' },
        { value: 'terms', label: tabs.payoutTerms, ...lazyTabs.terms },
      ]}
    />
  )
}
