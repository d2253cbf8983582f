import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../lib/query-keys.ts'

/** Reloads the inbox, the number of unread alerts and the rules. */
export function useAlertsReload(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: queryKeys.alerts })
}
