import { lazy, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Balance } from '@karvon/contract/payouts/payouts.ts'
import { Button } from '../../components/actions/button.tsx'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { KpiRow } from '../../components/display/kpi.tsx'
import { PageHeader } from '../../components/display/layout.tsx'
import { LazyDialog } from '../../components/lazy-part.tsx'
import { formatAmount, formatMoney } from '../../lib/format/money.format.ts'
import { getErrorMessage } from '../../lib/http.ts'
import { restoreTarget } from '../../lib/session.draft.ts'
import { useSettings } from '../../lib/settings.store.ts'
import type { ListSearch } from '../../lib/table-state.ts'
import { BalanceLists } from './balance-lists.tsx'
import { balanceQuery } from './balance.query.ts'
import { balanceTexts as texts } from './money.texts.ts'
import classes from './payouts.module.css'

const loadRequest = () => import('./withdrawal-request.tsx')
const WithdrawalRequest = lazy(async () => ({ default: (await loadRequest()).WithdrawalRequest }))
// A failure shows when the form opens.
const preloadRequest = () => void loadRequest().catch(() => undefined)

/** The person's balance in each currency with the request of a withdrawal, the newest entries and the open withdrawals. */
export function BalancePage() {
  const { currency } = useSettings()
  const { data, error, isFetching, refetch } = useQuery(balanceQuery)
  const [requestedBalance, setRequestedBalance] = useState(
    () => restoreTarget('withdrawal') as Balance | null,
  )
  const closeRequest = () => setRequestedBalance(null)
  if (error && !isFetching && data === undefined)
    return (
      <ErrorState
        failure={{ message: texts.loadFailed, reason: getErrorMessage(error) }}
        onRetry={() => void refetch()}
      />
    )
  const balances = data && [data, ...data.others]
  return (
    <div className={classes.balances} onPointerOver={preloadRequest} onFocus={preloadRequest}>
      {balances ? (
        balances.map((balance) => (
          <BalanceTiles
            key={balance.currency}
            currency={balance.currency}
            balance={balance}
            onRequest={() => setRequestedBalance(balance)}
          />
        ))
      ) : (
        <BalanceTiles currency={currency} balance={undefined} onRequest={() => undefined} />
      )}
      <BalanceLists />
      <LazyDialog opened={requestedBalance !== null} onClose={closeRequest}>
        <WithdrawalRequest balance={requestedBalance} onClose={closeRequest} />
      </LazyDialog>
    </div>
  )
}

/** Whether any amount can be withdrawn. */
const canWithdraw = ({ available, minimum }: Balance) => available > 0 && available >= minimum

function describeBalance(balance: Balance): string {
  const { currency, available, minimum } = balance
  if (available < 0) return texts.negative
  if (!canWithdraw(balance) && minimum === 0) return texts.nothing
  return minimum === 0 ? texts.noMinimum : texts.minimum({ amount: formatAmount(minimum, currency) })
}

/** The figures of a currency, and the pages that show the rows behind each. What can be withdrawn is the first. */
const figures = {
  available: { tab: 'history', part: 'available' },
  on_hold: { tab: 'history', part: 'on_hold' },
  requested: { tab: 'withdrawals', status: 'open' },
  earned: { tab: 'history', part: 'earned' },
  paid: { tab: 'withdrawals', status: 'paid' },
} as const satisfies Partial<Record<keyof Balance, ListSearch>>

const figureNames = Object.keys(figures) as (keyof typeof figures)[]

type BalanceTilesProps = {
  currency: string
  /** Undefined while it loads. */
  balance: Balance | undefined
  onRequest: () => void
}

function BalanceTiles({ currency, balance, onRequest }: BalanceTilesProps) {
  return (
    <section className={classes.balance} aria-label={texts.balanceIn({ currency })}>
      <PageHeader
        title={texts.balanceIn({ currency })}
        actions={
          <Button
            tone="primary"
            disabled={balance === undefined || !canWithdraw(balance)}
            onClick={onRequest}
          >
            {texts.request}
          </Button>
        }
      />
      <KpiRow
        label={texts.balanceIn({ currency })}
        items={figureNames.map((name) => ({
          label: texts[name],
          value: balance && (
            <Link to="/money" search={{ ...figures[name], currency }}>
              {formatMoney(balance[name], '.')}
            </Link>
          ),
        }))}
      />
      <p className={classes.note}>{balance && describeBalance(balance)}</p>
    </section>
  )
}
