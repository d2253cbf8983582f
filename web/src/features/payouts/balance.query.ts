import { ownBalance } from '@karvon/contract/payouts/payouts.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../../lib/http.ts'
import { getRefetchInterval } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The person's balance in each currency. */
export const balanceQuery = queryOptions({
  queryKey: queryKeys.balance,
  queryFn: ({ signal }) => send(ownBalance, { signal }),
  refetchInterval: getRefetchInterval,
})
