import type { Fact } from '../../components/display/timeline.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { missingValue } from '../../lib/format/missing.ts'
import { formatMoney } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import type { ReceivedParcel } from './parcel.received.ts'
import { getCurrencyLabel } from './parcels.columns.tsx'
import { parcelTexts as texts } from './parcels.texts.ts'
import { createPaymentFacts } from './payment-facts.tsx'

const joinParts = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

type FactsOptions = {
  zone: string
  currency: string
  /** The host answers what the courier collects, and who the courier is. */
  hasPayments: boolean
  /** Shows the parcels of a courier in the list. */
  onCourier: (code: string) => void
}

/** The names and values of a parcel, in the order of the detail. */
export function createParcelFacts(
  parcel: ReceivedParcel,
  { zone, currency, hasPayments, onCourier }: FactsOptions,
): Fact[] {
  const { receiver, package: box } = parcel
  const price = box?.delivery_price
  return [
    {
      name: texts.facts.receiver,
      value: (
        <>
          {joinParts(receiver?.person, receiver?.company) || missingValue}
          {receiver?.phone && (
            <>
              <br />
              <a href={`tel:${receiver.phone.replace(/[^+\d]/g, '')}`}>{receiver.phone}</a>
            </>
          )}
        </>
      ),
    },
    { name: texts.facts.address, value: joinParts(receiver?.town, receiver?.address) || missingValue },
    {
      name: texts.facts.service,
      value:
        joinParts(
          box?.service_name,
          typeof box?.weight === 'number' ? texts.weight({ kg: formatNumber(box.weight) }) : null,
          typeof box?.quantity === 'number' ? texts.quantity({ count: box.quantity }) : null,
        ) || missingValue,
    },
    // A number is a code of the courier, which says nothing to a person.
    ...(box?.type_name && !/^\d+$/.test(box.type_name)
      ? [{ name: texts.facts.type, value: box.type_name }]
      : []),
    {
      name: texts.facts.delivery,
      value: typeof price === 'number' ? `${formatMoney(price)} ${getCurrencyLabel(currency)}` : missingValue,
    },
    ...(hasPayments ? createPaymentFacts(parcel, { zone, currency, onCourier }) : []),
    { name: texts.facts.date, value: formatDay(parcel.date) },
    ...(parcel.barcode
      ? [{ name: texts.facts.barcode, value: <span className="mono">{parcel.barcode}</span> }]
      : []),
    ...(parcel.owner?.name ? [{ name: texts.facts.owner, value: parcel.owner.name }] : []),
  ]
}
