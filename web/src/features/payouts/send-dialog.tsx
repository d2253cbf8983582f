import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, ReceivedOf } from '@karvon/contract/lib/call.ts'
import { createPaymentRegistry, sumApprovedWithdrawals } from '@karvon/contract/payouts/payment-registries.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { QueryContent } from '../../resources/query-content.tsx'
import classes from './payouts.module.css'
import { RegistryDownload } from './registry-download.tsx'
import { sendTexts as texts } from './registries.texts.ts'

type NewRegistry = ReceivedOf<typeof createPaymentRegistry>
type ApprovedSum = ReceivedOf<typeof sumApprovedWithdrawals>['items'][number]

/** Sends the approved withdrawals in a currency to the bank, and offers their file. */
export function SendDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [registry, setRegistry] = useState<NewRegistry | null>(null)
  const close = () => {
    setRegistry(null)
    onClose()
  }
  return (
    <Modal opened={opened} title={texts.title} onClose={close}>
      {registry === null ? <ApprovedSums onSend={setRegistry} /> : <SentRegistry registry={registry} />}
    </Modal>
  )
}

function ApprovedSums({ onSend }: { onSend: (registry: NewRegistry) => void }) {
  const sums = useQuery({
    queryKey: queryKeys.approvedWithdrawals,
    queryFn: ({ signal }) => send(sumApprovedWithdrawals, { signal }),
    staleTime: 0,
  })
  return (
    <div className={classes.sendable}>
      <QueryContent query={sums} loadFailed={texts.loadFailed} placeholder={null}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{texts.none}</p>
          ) : (
            <Facts
              facts={items.map((sum) => ({
                name: texts.approved({
                  count: sum.payments,
                  amount: formatAmount(sum.amount, sum.currency),
                }),
                value: <SendCurrency sum={sum} onSend={onSend} />,
              }))}
            />
          )
        }
      </QueryContent>
    </div>
  )
}

function SendCurrency({ sum, onSend }: { sum: ApprovedSum; onSend: (registry: NewRegistry) => void }) {
  const { currency, payments, amount } = sum
  const client = useQueryClient()
  const body: BodyOf<typeof createPaymentRegistry> = { currency }
  return (
    <ActionButton
      tone="primary"
      label={texts.send}
      name={currency}
      loadingText={texts.sending}
      failureText={texts.failed}
      question={{ text: texts.confirm({ count: payments, amount: formatAmount(amount, currency) }) }}
      run={() => send(createPaymentRegistry, { body })}
      onSuccess={async (registry) => {
        onSend(registry)
        await client.invalidateQueries({ queryKey: queryKeys.withdrawals })
      }}
    />
  )
}

function SentRegistry({ registry }: { registry: NewRegistry }) {
  const { id, payments, amount, currency, remaining } = registry
  return (
    <div className={classes.steps}>
      <p role="status">{texts.sent({ id, count: payments, amount: formatAmount(amount, currency) })}</p>
      {remaining > 0 && <p>{texts.remaining({ count: remaining })}</p>}
      <div className={classes.decisions}>
        <RegistryDownload id={id} />
      </div>
    </div>
  )
}
