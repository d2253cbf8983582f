import { useQueries } from '@tanstack/react-query'
import type { Option } from '../ui/fields/radio-group.tsx'

/** Loads the options of fields that hold one of a list's values, by the field's key. */
export type Choices = Readonly<Record<string, (signal: AbortSignal) => Promise<readonly Option[]>>>

const none: Choices = {}

/** What could be loaded, by the field's key; a field without stays one to type in. */
export function useChoices(resource: string, choices = none): ReadonlyMap<string, readonly Option[]> {
  const keys = Object.keys(choices)
  const loaded = useQueries({
    queries: Object.entries(choices).map(([key, load]) => ({
      queryKey: ['resource', resource, 'choices', key],
      queryFn: ({ signal }: { signal: AbortSignal }) => load(signal),
      staleTime: 60_000,
    })),
  })
  return new Map(
    keys.flatMap((key, index) => {
      const options = loaded[index]?.data
      return options ? [[key, options] as const] : []
    }),
  )
}
