import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { queryKeys } from '../lib/query-keys.ts'
import { resourceApi } from './resource.api.ts'

/** The row that a form edits. Nothing is loaded for a new row (id 0) and a closed form (id null). */
export function useResourceRow<Row>(resource: Resource<Row>, id: number | null) {
  const client = useQueryClient()
  // Loaded at every opening, because the list may be older than a change by somebody else.
  const query = useQuery({
    queryKey: queryKeys.resourceRow(resource.name, id),
    queryFn: ({ signal }) => resourceApi(resource).get(id ?? 0, signal),
    enabled: id !== null && id > 0,
    gcTime: 0,
    // A reload would discard what was typed.
    staleTime: 'static',
  })
  // Reloads all but the open row, whose form must not reset while the message is visible.
  const reloadLists = () =>
    client.invalidateQueries({
      queryKey: queryKeys.resources,
      predicate: ({ queryKey }) => queryKey[2] !== 'row',
    })
  const { data: row, error, isFetching, refetch } = query
  return { row, error, isFetching, reloadRow: () => void refetch(), reloadLists }
}
