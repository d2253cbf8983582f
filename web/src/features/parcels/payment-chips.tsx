import { payTypes } from '@karvon/contract/parcels/parcels.ts'
import { Chips } from '../../components/display/chips.tsx'
import { useFeature } from '../../lib/settings.store.ts'
import type { TableControl } from '../../lib/table-state.ts'
import type { PaymentFilterKey } from '@karvon/contract/parcels/parcels.address.ts'
import { paymentTexts as texts } from './payment.texts.ts'

/** The value of `pay_type` in the URL while its chips are open and none is chosen. */
const anyPayType = 'any'

const unsettledDays = [0, 3, 7, 14, 30]
const defaultDays = '7'

/** The chips of the filters by payment: not settled for some days, the pay type, and a courier that was chosen. */
export function PaymentChips({ table }: { table: TableControl }) {
  const { unsettled, pay_type: payType, courier } = table.state.filters
  const setFilter = (name: PaymentFilterKey, value: string | undefined) =>
    table.change({ filters: { [name]: value } })
  if (!useFeature('cash_on_delivery')) return null
  return (
    <>
      <Chips
        label={texts.unsettled}
        chips={[{ value: defaultDays, label: texts.unsettled }]}
        value={unsettled === undefined ? '' : defaultDays}
        onChange={(value) => setFilter('unsettled', unsettled === undefined ? value : undefined)}
      />
      {unsettled !== undefined && (
        <Chips
          label={texts.unsettledSince}
          chips={unsettledDays.map((days) => ({
            value: String(days),
            label: days === 0 ? texts.anyDays : texts.days({ days }),
          }))}
          value={unsettled}
          onChange={(value) => setFilter('unsettled', value)}
        />
      )}
      <Chips
        label={texts.payType}
        chips={[{ value: anyPayType, label: texts.payType }]}
        value={payType === undefined ? '' : anyPayType}
        onChange={(value) => setFilter('pay_type', payType === undefined ? value : undefined)}
      />
      {payType !== undefined && (
        <Chips
          label={texts.anyPayType}
          chips={[
            { value: anyPayType, label: texts.anyPayType },
            ...payTypes.map((value) => ({ value, label: texts.payTypes[value] })),
          ]}
          value={payType}
          onChange={(value) => setFilter('pay_type', value)}
        />
      )}
      {courier !== undefined && (
        <Chips
          label={texts.facts.courier}
          chips={[{ value: courier, label: texts.courier({ code: courier }) }]}
          value={courier}
          onChange={() => setFilter('courier', undefined)}
        />
      )}
    </>
  )
}
