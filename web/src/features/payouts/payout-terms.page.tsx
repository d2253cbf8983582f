import { listPayoutTerms } from '@karvon/contract/payouts/payout-terms.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { NewPayoutTermsButton } from './payout-terms-button.tsx'
import { createTermsColumns, formatTermsScope } from './payout-terms.columns.tsx'
import { PayoutTermsDetail } from './payout-terms-detail.tsx'
import { payoutTermsTexts as texts } from './payout-terms.texts.ts'

/** What people earn by leads, old terms included. */
export const PayoutTermsPage = logPage({
  call: listPayoutTerms,
  key: queryKeys.payoutTerms,
  name: 'payout-terms',
  pageSize: 20,
  texts,
  filters: [
    { name: 'user_id', optionSource: resourceOptions('users'), ...texts.filters.user },
    { name: 'offer_id', optionSource: resourceOptions('offers'), ...texts.filters.offer },
  ],
  createColumns: createTermsColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: formatTermsScope,
  Actions: NewPayoutTermsButton,
  renderDetail: (openedTerms, setOpenedTerms) => (
    <PayoutTermsDetail terms={openedTerms} onClose={() => setOpenedTerms(null)} />
  ),
})
