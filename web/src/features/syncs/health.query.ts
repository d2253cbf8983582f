import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import type { SyncHealth } from '@karvon/contract/lib/sync-health.ts'
import { resourceApi } from '../../resources/resource.api.ts'

/** A row that is fetched for; a host of the described calls alone does not say how that fares. */
export interface SyncedRow {
  readonly id: number
  readonly name: string
  readonly health?: SyncHealth | null
}

/** Accounts of one kind: their resource, what asks for a run, and what narrows the runs to one of them. */
export interface SyncAccounts {
  readonly resource: Resource<SyncedRow>
  readonly run: Call
  /** Takes away the mark that orders may be missing; only accounts of networks have one. */
  readonly closeGap?: Call
  readonly key: 'source_credential_id' | 'courier_account_id'
}

/** Milliseconds between two looks at a run under way. */
const every = 2000

export interface LiveHealth {
  readonly health: SyncHealth | null
  /** A run was asked for here and is not over. */
  readonly asked: boolean
  /** From now on the run that was just asked for is followed. */
  readonly follow: () => void
}

/** An account's health: as its row says, and while a run is asked for or under way, as it is by the second. */
export function useHealth({ resource }: SyncAccounts, row: SyncedRow): LiveHealth {
  const client = useQueryClient()
  // The last run before the one that was asked for.
  const [before, setBefore] = useState<number | null>(null)
  const known = row.health ?? null
  const watching = before !== null || known?.running === true
  const { data } = useQuery({
    queryKey: ['resource', resource.name, 'health', row.id, before],
    queryFn: async ({ signal }) => {
      const now = ((await resourceApi(resource).get(row.id, signal)) as SyncedRow).health ?? null
      if (now && !now.running && (now.last_run?.id ?? 0) > (before ?? 0)) {
        // The row first, so that it does not show for a moment what it said before.
        await client.invalidateQueries({ queryKey: ['resource', resource.name, 'list'] })
        setBefore(null)
      }
      return now
    },
    enabled: watching,
    refetchInterval: every,
    gcTime: 0,
  })
  const health = watching && data !== undefined ? data : known

  return { health, asked: before !== null, follow: () => setBefore(health?.last_run?.id ?? 0) }
}
