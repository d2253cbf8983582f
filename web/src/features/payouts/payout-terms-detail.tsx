import { useQueryClient } from '@tanstack/react-query'
import { deletePayoutTerms, type PayoutTerms } from '@karvon/contract/payouts/payout-terms.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { getToday } from '../../lib/format/date-time.format.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { DeleteButton } from '../../resources/delete-button.tsx'
import { createTermsColumns, formatTermsScope } from './payout-terms.columns.tsx'
import { payoutTermsFormTexts as texts, payoutTermsTexts } from './payout-terms.texts.ts'

type PayoutTermsDetailProps = { terms: PayoutTerms | null; onClose: () => void }

/** Payout terms with all their values. Those that are not valid yet can be deleted. */
export function PayoutTermsDetail({ terms, onClose }: PayoutTermsDetailProps) {
  const { time_zone: zone } = useSettings()
  const isFuture = terms !== null && terms.valid_from > getToday(zone)
  return (
    <Modal
      opened={terms !== null}
      title={payoutTermsTexts.title}
      onClose={onClose}
      footer={isFuture ? <DeleteTermsButton terms={terms} onClose={onClose} /> : undefined}
    >
      {terms && (
        <Facts
          facts={[
            ...createTermsColumns(zone).map(({ header, cell }) => ({ name: header, value: cell(terms) })),
            {
              name: payoutTermsTexts.columns.created_by,
              value: terms.created_by?.name ?? payoutTermsTexts.none,
            },
          ]}
        />
      )}
    </Modal>
  )
}

function DeleteTermsButton({ terms, onClose }: { terms: PayoutTerms; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <DeleteButton
      texts={texts}
      question={texts.confirmRemove({ who: formatTermsScope(terms) })}
      run={() => send(deletePayoutTerms, { params: { id: terms.id } })}
      onDeleted={() => {
        onClose()
        return client.invalidateQueries({ queryKey: queryKeys.payoutTerms })
      }}
    />
  )
}
