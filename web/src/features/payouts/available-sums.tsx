import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Card } from '../../components/display/card.tsx'
import { Sums } from '../../components/display/timeline.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import { useTableState } from '../../lib/table-state.ts'
import { balanceQuery } from './balance.query.ts'
import { ownEntryTexts as texts } from './money.texts.ts'
import classes from './payouts.module.css'

const spec = { pageSize: 20, filters: ['part', 'currency', 'statement_id', 'from', 'to'] }

/** Above the entries that are not on hold: what they sum to, what of it is requested, and what is left. */
export function AvailableSums() {
  const { filters, search } = useTableState(spec).state
  const { part, currency, statement_id, from, to } = filters
  const isShown = part === 'available' && currency !== undefined && (statement_id ?? from ?? to) === undefined
  const { data } = useQuery({ ...balanceQuery, enabled: isShown })
  if (!isShown || search !== '') return null
  const balance = data && [data, ...data.others].find((entry) => entry.currency === currency)
  const format = (amount: number | undefined) =>
    amount === undefined ? '\u00a0' : formatAmount(amount, currency)
  return (
    <Card padded={false} className={classes.sums}>
      <Sums
        label={texts.sums}
        sums={[
          { name: texts.entries, value: format(balance && balance.available + balance.requested) },
          {
            name: texts.requested,
            value: (
              <Link to="/money" search={{ tab: 'withdrawals', status: 'open', currency }}>
                {format(balance && -balance.requested)}
              </Link>
            ),
          },
          { name: texts.available, value: format(balance?.available), isTotal: true },
        ]}
      />
    </Card>
  )
}
