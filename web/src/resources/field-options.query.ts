import { useQueries } from '@tanstack/react-query'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import type { Option } from '../components/fields/options.ts'

import { isAnnounced, useSettings } from '../lib/settings.store.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** Functions that load the options of text fields whose values come from a list, by the field's key. */
export type FieldOptionLoaders = Readonly<Record<string, (signal: AbortSignal) => Promise<readonly Option[]>>>

const noLoaders: FieldOptionLoaders = {}

/** The loaded options by the field's key. Undefined while they load. A field whose options could not be loaded stays a text input. */
export function useFieldOptions(
  resource: Resource,
  loaders = noLoaders,
): ReadonlyMap<string, readonly Option[]> | undefined {
  const settings = useSettings()
  const availableLoaders = Object.entries(loaders).filter(([key]) =>
    isAnnounced(resource.fields[key]?.feature, settings),
  )
  const results = useQueries({
    queries: availableLoaders.map(([key, load]) => ({
      queryKey: queryKeys.fieldOptions(resource.name, key),
      queryFn: ({ signal }: { signal: AbortSignal }) => load(signal),
      staleTime: 60_000,
    })),
  })
  if (results.some(({ isPending }) => isPending)) return undefined
  return new Map(
    availableLoaders.flatMap(([key], index) => {
      const options = results[index]?.data
      return options ? [[key, options] as const] : []
    }),
  )
}
