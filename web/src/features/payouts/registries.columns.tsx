import type { PaymentRegistry } from '@karvon/contract/payouts/payment-registries.ts'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { createTimeColumn } from '../../resources/time-column.ts'
import { registryTexts as texts } from './registries.texts.ts'

const createCountColumn = (key: 'payments' | 'sent' | 'paid' | 'refused'): Column<PaymentRegistry> => ({
  key,
  header: texts.columns[key],
  cell: (row) => formatNumber(row[key]),
  align: 'end',
  ...(key === 'payments' ? { sortable: true } : { spareBelow: 1100 }),
  phone: 'line',
})

/** The columns of the payment registries. Times are in the time zone `zone`. */
export function createRegistryColumns(zone: string): Column<PaymentRegistry>[] {
  const { columns } = texts
  return [
    { key: 'id', header: columns.id, cell: (row) => `#${row.id}`, sortable: true, nowrap: true },
    { ...createTimeColumn('created_at', columns.created_at, zone), phone: 'line' },
    {
      key: 'amount',
      header: columns.amount,
      cell: (row) => formatAmount(row.amount, row.currency),
      align: 'end',
      sortable: true,
    },
    ...(['payments', 'sent', 'paid', 'refused'] as const).map(createCountColumn),
    {
      key: 'created_by',
      header: columns.created_by,
      cell: (row) => <TruncatedText text={row.created_by.name} />,
      phone: 'line',
    },
  ]
}
