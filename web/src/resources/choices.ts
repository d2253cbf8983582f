import { useQueries } from '@tanstack/react-query'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import type { Option } from '../components/fields/radio-group.tsx'

import { isAnnounced, useSettings } from '../lib/settings.store.ts'

/** Loads the options of fields that hold one of a list's values, by the field's key. */
export type Choices = Readonly<Record<string, (signal: AbortSignal) => Promise<readonly Option[]>>>

const none: Choices = {}

/** What could be loaded, by the field's key; a field without stays one to type in. */
export function useChoices(of: Resource, choices = none): ReadonlyMap<string, readonly Option[]> {
  const settings = useSettings()
  const offered = Object.entries(choices).filter(([key]) => isAnnounced(of.fields[key]?.feature, settings))
  const loaded = useQueries({
    queries: offered.map(([key, load]) => ({
      queryKey: ['resource', of.name, 'choices', key],
      queryFn: ({ signal }: { signal: AbortSignal }) => load(signal),
      staleTime: 60_000,
    })),
  })
  return new Map(
    offered.flatMap(([key], index) => {
      const options = loaded[index]?.data
      return options ? [[key, options] as const] : []
    }),
  )
}
