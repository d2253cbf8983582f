import { useMemo } from 'react'
import { useQueries } from '@tanstack/react-query'
import type { Field, Fields, Named } from '@karvon/contract/kit/field.ts'
import type { Option } from '../ui/fields/radio-group.tsx'
import type { ListAnswer } from './list.answer.ts'
import { helperSize, listNames } from './resource.api.ts'

const toOption = ({ id, name }: Named): Option => ({ value: String(id), label: name })

/** The server's search behind a select of a resource's rows. */
export const searchNames = (resource: string) => async (query: string) =>
  (await listNames(resource, query)).items.map(toOption)

/** The rows that a resource's references can point to. */
export interface References {
  /** The name of a row that a list's answer does not carry itself. */
  nameOf: (field: Field, id: number) => string | undefined
  /** Options of a select; `chosen` joins them when it lies beyond the first hundred. */
  optionsOf: (field: Field, chosen?: readonly Named[]) => readonly Option[]
  /** There are more rows than the helper asked for: the select must search on the server. */
  isPartial: (field: Field) => boolean
}

// At module level, so that equal answers keep their identity and memoised rows hold.
const answers = (results: readonly { data: ListAnswer<Named> | undefined }[]) =>
  results.map(({ data }) => data)

/**
 * Loads the names behind the reference fields, each resource once for all pages.
 * A failed helper leaves its selects empty; the list says for itself why it could not load.
 */
export function useReferences(fields: Fields): References {
  const targets = useMemo(
    () => [...new Set(Object.values(fields).flatMap(({ to }) => (to === undefined ? [] : [to])))],
    [fields],
  )
  const loaded = useQueries({
    queries: targets.map((to) => ({
      queryKey: ['resource', to, 'names'],
      queryFn: ({ signal }: { signal: AbortSignal }) => listNames(to, '', signal),
      staleTime: 60_000,
    })),
    combine: answers,
  })
  return useMemo(() => {
    const listOf = ({ to }: Field) => (to === undefined ? undefined : loaded[targets.indexOf(to)])
    const namesOf = (field: Field) => listOf(field)?.items ?? []
    return {
      nameOf: (field, id) => namesOf(field).find((row) => row.id === id)?.name,
      optionsOf: (field, chosen = []) => {
        const names = namesOf(field)
        const missing = chosen.filter(({ id }) => names.every((row) => row.id !== id))
        return [...missing, ...names].map(toOption)
      },
      isPartial: (field) => (listOf(field)?.total ?? 0) > helperSize,
    }
  }, [loaded, targets])
}
