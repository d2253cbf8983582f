import { useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import type { SyncHealth } from '@karvon/contract/lib/sync-health.ts'
import type { fetchCourierOrders, runSourceCredential } from '@karvon/contract/syncs/syncs.ts'
import { resourceApi } from '../../resources/resource.api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** A row with a sync. A host that implements only the specification answers no `health`. */
export interface SyncAccountRow {
  readonly id: number
  readonly name: string
  readonly health?: SyncHealth | null
}

/** The accounts of one kind: the resource, the call that starts a run (of one type for all kinds), and the filter of its runs. */
export interface SyncAccounts {
  readonly resource: Resource<SyncAccountRow>
  readonly run: typeof runSourceCredential
  /** Removes the mark that orders may be missing. Only network accounts have it. */
  readonly closeGap?: Call
  /** Requests the orders of some days again. Only courier accounts have it. */
  readonly fetchOrders?: typeof fetchCourierOrders
  readonly key: 'source_credential_id' | 'courier_account_id'
}

/** Milliseconds between two polls of a run. */
const pollIntervalMs = 2000

export interface LiveHealth {
  readonly health: SyncHealth | null
  /** Whether a run was requested here and is not finished. */
  readonly isRunRequested: boolean
  /** Starts to poll for the run that was just requested. `previousRunId`: of the run before it, if the host answers it. */
  readonly followRun: (previousRunId: number | undefined) => void
}

/** The sync state of an account: from its row, and while a run is requested or running, from polls. */
export function useHealth({ resource }: SyncAccounts, row: SyncAccountRow): LiveHealth {
  const client = useQueryClient()
  // The last request of a run, with the id of the last run before it.
  const [request, setRequest] = useState<{ previousRunId: number } | null>(null)
  const previousRunId = request?.previousRunId ?? null
  const lastPolledRunId = useRef(0)
  const rowHealth = row.health ?? null
  const isPolling = request !== null || rowHealth?.running === true
  const { data } = useQuery({
    queryKey: queryKeys.syncHealth(resource.name, row.id, previousRunId),
    queryFn: async ({ signal }) => {
      const current = ((await resourceApi(resource).get(row.id, signal)) as SyncAccountRow).health ?? null
      const runId = current?.last_run?.id ?? 0
      lastPolledRunId.current = runId
      if (current && !current.running && runId > (previousRunId ?? 0)) {
        // The lists reload first, so that the row does not show its old state for a moment.
        await Promise.all(
          [queryKeys.resourceLists(resource.name), queryKeys.syncRuns].map((queryKey) =>
            client.invalidateQueries({ queryKey }),
          ),
        )
        // Another run may have been requested meanwhile.
        setRequest((latest) => (latest === request ? null : latest))
      }
      return current
    },
    enabled: isPolling,
    refetchInterval: pollIntervalMs,
    gcTime: 0,
  })
  const health = isPolling && data !== undefined ? data : rowHealth

  return {
    health,
    isRunRequested: request !== null,
    // The row may be older than the last run, so the answer of the request is better.
    followRun: (answeredRunId) =>
      setRequest({
        previousRunId: answeredRunId ?? Math.max(lastPolledRunId.current, health?.last_run?.id ?? 0),
      }),
  }
}
