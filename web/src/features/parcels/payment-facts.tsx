import type { Fact } from '../../components/display/timeline.tsx'
import { getToday } from '../../lib/format/date-time.format.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatMoney } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import type { ReceivedParcel } from './parcel.received.ts'
import { getCurrencyLabel } from './parcels.columns.tsx'
import classes from './parcels.module.css'
import { paymentTexts as texts } from './payment.texts.ts'

type PaymentFactsOptions = {
  zone: string
  /** The installation's currency, for an answer without one. */
  currency: string
  /** Shows the parcels of a courier in the list. */
  onCourier: (code: string) => void
}

/** The facts of a parcel about its payment, its courier and its items. Facts that are not known are left out. */
export function createPaymentFacts(
  parcel: ReceivedParcel,
  { zone, currency, onCourier }: PaymentFactsOptions,
): Fact[] {
  const { courier, pay_type: payType } = parcel
  const formatAmount = (amount: number | null | undefined) =>
    typeof amount === 'number'
      ? `${formatMoney(amount)} ${getCurrencyLabel(parcel.currency ?? currency)}`
      : undefined
  const amount = [formatAmount(parcel.cod_amount), payType && texts.payTypes[payType]].filter(Boolean)
  const declaredValue = formatAmount(parcel.declared_value)
  const items = parcel.items ?? []
  const hasCourier = Boolean(courier?.name || courier?.phone || courier?.code)
  return [
    ...(amount.length > 0 ? [{ name: texts.facts.amount, value: amount.join(', ') }] : []),
    ...(parcel.settled_at
      ? [{ name: texts.facts.settled, value: formatDay(getToday(zone, new Date(parcel.settled_at))) }]
      : []),
    ...(declaredValue === undefined ? [] : [{ name: texts.facts.declared, value: declaredValue }]),
    ...(hasCourier
      ? [{ name: texts.facts.courier, value: <Courier courier={courier} onCourier={onCourier} /> }]
      : []),
    ...(items.length > 0
      ? [
          {
            name: texts.facts.items,
            value: items.map((item, index) => <div key={`${index} ${item.name}`}>{describeItem(item)}</div>),
          },
        ]
      : []),
  ]
}

type CourierProps = Pick<PaymentFactsOptions, 'onCourier'> & { courier: ReceivedParcel['courier'] }

function Courier({ courier, onCourier }: CourierProps) {
  const { code, name, phone } = courier ?? {}
  return (
    <>
      {name || code}
      {phone && (
        <div>
          <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
        </div>
      )}
      {code && (
        <div>
          <button type="button" className={classes.link} onClick={() => onCourier(code)}>
            {texts.allOfCourier}
          </button>
        </div>
      )}
    </>
  )
}

type ReceivedItem = NonNullable<ReceivedParcel['items']>[number]

/** An item: its name, its quantity if there is more than one piece, and the price of one piece. */
function describeItem({ name, article, code, quantity, price }: ReceivedItem): string {
  const label = name || article || code || texts.unnamedItem
  const quantityText =
    typeof quantity === 'number' && quantity !== 1
      ? texts.item({ name: label, quantity: formatNumber(quantity) })
      : label
  return typeof price === 'number' ? `${quantityText}, ${formatMoney(price)}` : quantityText
}
