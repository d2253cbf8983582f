import { useQueryClient } from '@tanstack/react-query'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { queryKeys } from '../../lib/query-keys.ts'

/** Returns a function that says that a withdrawal was changed, and reloads what shows it. */
export function useWithdrawalChange(): (toastTitle: string) => Promise<void> {
  const client = useQueryClient()
  const toasts = useToasts()
  return async (toastTitle) => {
    toasts.show({ title: toastTitle })
    const keys = [queryKeys.withdrawals, queryKeys.ledger, queryKeys.money]
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}
