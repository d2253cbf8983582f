import { missingValue } from '../../lib/format/missing.ts'
import { TwoLines } from '../../components/display/layout.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { formatMoney } from '../../lib/format/money.format.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { ParcelStatusBadge } from './parcel-status.tsx'
import type { ReceivedParcel } from './parcel.received.ts'
import { parcelTexts as texts } from './parcels.texts.ts'
import { paymentTexts } from './payment.texts.ts'
import classes from './problems.module.css'
import { problemTexts } from './problems.texts.ts'

/** The label of a currency beside an amount. */
export const getCurrencyLabel = (code: string): string => texts.currencies[code] ?? code

const formatOptionalNumber = (
  value: number | null | undefined,
  format: (amount: number) => string = formatNumber,
) => (typeof value === 'number' ? format(value) : missingValue)

type ColumnsOptions = {
  zone: string
  currency: string
  /** The host answers what the courier collects, and who the courier is. */
  hasPayments: boolean
}

/** The columns of the parcels list. Times are in the time zone `zone`. */
export function createParcelColumns({
  zone,
  currency,
  hasPayments,
}: ColumnsOptions): Column<ReceivedParcel>[] {
  return [
    {
      key: 'orderno',
      header: texts.columns.order,
      cell: (row) => (
        <TwoLines
          first={<TruncatedText text={row.orderno ?? missingValue} />}
          second={row.barcode && <TruncatedText text={row.barcode} />}
          mono
        />
      ),
      sortable: true,
      nowrap: true,
    },
    {
      key: 'status',
      header: texts.columns.status,
      cell: ({ status, problem }) => (
        <TwoLines
          first={<ParcelStatusBadge status={status} />}
          second={
            <>
              {formatDateTime(status?.eventtime, zone, 'short')}
              {problem && <span className={classes.reason}> · {problemTexts.reasons[problem]}</span>}
            </>
          }
        />
      ),
      sortable: true,
      nowrap: true,
      phone: 'right',
    },
    {
      key: 'person',
      header: texts.columns.receiver,
      cell: ({ receiver }) => (
        <TwoLines
          first={<TruncatedText text={receiver?.person || receiver?.company || missingValue} />}
          second={receiver?.phone}
        />
      ),
      sortable: true,
      nowrap: true,
    },
    {
      key: 'town',
      header: texts.columns.town,
      cell: ({ receiver }) => <TruncatedText text={receiver?.town ?? missingValue} />,
      sortable: true,
      nowrap: true,
      phone: 'right',
    },
    {
      key: 'weight',
      header: texts.columns.weight,
      cell: (row) => formatOptionalNumber(row.package?.weight),
      align: 'end',
      sortable: true,
      phone: 'hidden',
      // The amount to collect takes its place in a narrow table.
      spareBelow: hasPayments ? 1100 : undefined,
    },
    ...(hasPayments ? [createAmountColumn(currency)] : []),
    {
      key: 'delivery_price',
      header: texts.columns.price({ currency: getCurrencyLabel(currency) }),
      cell: (row) => formatOptionalNumber(row.package?.delivery_price, (price) => formatMoney(price)),
      align: 'end',
      sortable: true,
      phone: 'hidden',
      // Beside the open detail of a parcel, which has the price.
      spareBelow: hasPayments ? 900 : undefined,
    },
    ...(hasPayments ? [courierColumn] : []),
  ]
}

const createAmountColumn = (currency: string): Column<ReceivedParcel> => ({
  key: 'cod_amount',
  header: paymentTexts.columns.amount({ currency: getCurrencyLabel(currency) }),
  cell: ({ cod_amount: amount, pay_type: payType }) => (
    <TwoLines
      first={formatOptionalNumber(amount, (value) => formatMoney(value))}
      second={payType && paymentTexts.payTypes[payType]}
    />
  ),
  align: 'end',
  sortable: true,
  phone: 'hidden',
})

const courierColumn: Column<ReceivedParcel> = {
  key: 'courier',
  header: paymentTexts.columns.courier,
  cell: ({ courier }) => {
    const name = courier?.name || courier?.code
    return name ? <TruncatedText text={name} /> : missingValue
  },
  sortable: true,
  phone: 'hidden',
  spareBelow: 1100,
}
