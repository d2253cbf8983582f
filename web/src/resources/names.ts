import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Named } from '@karvon/contract/lib/field.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import type { Option } from '../components/fields/radio-group.tsx'
import type { OptionSearch } from '../components/fields/listbox.hook.ts'
import { send } from '../lib/http.ts'
import { firstOf, type ListAnswer } from '../lib/list.answer.ts'
import { optionsOf } from './references.ts'
import { listNames } from './resource.api.ts'

/** Rows that a select can choose from. */
export interface Names {
  /** Where the answers are kept, so that all pages share them. */
  readonly key: readonly string[]
  /** The first rows by name of those that match; `total` says how many there are. */
  readonly find: (search: string, signal?: AbortSignal) => Promise<ListAnswer<Received<Named>>>
  /** A single row, for one that lies beyond the first; where the caller may ask for it. */
  readonly one?: (id: string, signal: AbortSignal) => Promise<Received<Named> | undefined>
}

/** The rows of a resource, for admins. */
export const resourceNames = (resource: string): Names => ({
  key: ['resource', resource, 'names'],
  find: (search, signal) => listNames(resource, search, signal),
  one: async (id, signal) => {
    const path = `/api/admin/${resource}/:id`
    const call = { id: `${resource}.name`, summary: '', method: 'GET', path, guard: 'admin' } as const
    return firstOf(await send(call, { params: { id }, signal })) as Received<Named> | undefined
  },
})

/**
 * What a select shows of `names`, with the search on the server where there are more than the first answer
 * held. `chosen` (an id as text, empty for none) is among the options wherever it lies.
 */
export function useNames(
  names: Names,
  chosen = '',
): { options: readonly Option[]; onSearch: OptionSearch | undefined } {
  const { data } = useQuery({
    queryKey: names.key,
    queryFn: ({ signal }) => names.find('', signal),
    staleTime: 60_000,
  })
  const beyond =
    data !== undefined && Number(chosen) > 0 && data.items.every(({ id }) => String(id) !== chosen)
  const { data: found } = useQuery({
    queryKey: [...names.key, chosen],
    queryFn: async ({ signal }) => (await names.one?.(chosen, signal)) ?? null,
    enabled: beyond,
    staleTime: 60_000,
  })
  return useMemo(() => {
    const first = optionsOf(data?.items)
    const isPartial = data !== undefined && data.total > data.items.length
    return {
      options: beyond ? [{ value: chosen, label: found?.name ?? `#${chosen}` }, ...first] : first,
      onSearch: isPartial ? async (query) => optionsOf((await names.find(query)).items) : undefined,
    }
  }, [names, data, beyond, chosen, found])
}
