import { useQueryClient } from '@tanstack/react-query'
import { deletePayoutTerms, type PayoutTerms } from '@karvon/contract/payouts/payout-terms.ts'
import { TrashIcon } from '../../components/actions/icons.tsx'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { getToday } from '../../lib/format/date-time.format.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { ActionButton } from '../../resources/action-button.tsx'
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
  const toasts = useToasts()
  return (
    <ActionButton
      tone="ghost"
      icon={<TrashIcon size={17} />}
      label={texts.remove}
      loadingText={texts.removing}
      failureText={texts.removeFailed}
      question={{ text: texts.confirmRemove({ who: formatTermsScope(terms) }), danger: true }}
      run={() => send(deletePayoutTerms, { params: { id: terms.id } })}
      onSuccess={async () => {
        onClose()
        toasts.show({ title: texts.removed })
        await client.invalidateQueries({ queryKey: queryKeys.payoutTerms })
      }}
    />
  )
}
