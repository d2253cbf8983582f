import { useMemo } from 'react'
import { useQueries } from '@tanstack/react-query'
import type { Field, Fields, Named } from '@karvon/contract/lib/field.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import type { Option } from '../components/fields/radio-group.tsx'
import type { ListAnswer } from '../lib/list.answer.ts'
import { listNames } from './resource.api.ts'

/** Rows as options; one that the host gave no name stands by its id. */
export const optionsOf = (rows: readonly Received<Named>[] = []): Option[] =>
  rows.flatMap(({ id, name }) =>
    typeof id === 'number' ? [{ value: String(id), label: name || `#${id}` }] : [],
  )

/** The server's search behind a select of a resource's rows. */
export const searchNames = (resource: string) => async (query: string) =>
  optionsOf((await listNames(resource, query)).items)

/** The rows that a resource's references can point to. */
export interface References {
  /** The name of a row that a list's answer does not carry itself. */
  nameOf: (field: Field, id: number) => string | undefined
  /** The id of the only row of that name; undefined where none or several have it. */
  idOf: (field: Field, name: string) => number | undefined
  /** Options of a select; `chosen` joins them when it lies beyond the first hundred. */
  optionsOf: (field: Field, chosen?: readonly Received<Named>[]) => readonly Option[]
  /** There are more rows than the helper got: the select must search on the server. */
  isPartial: (field: Field) => boolean
}

// At module level, so that equal answers keep their identity and memoised rows hold.
const answers = (results: readonly { data: ListAnswer<Received<Named>> | undefined }[]) =>
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
      nameOf: (field, id) => namesOf(field).find((row) => row.id === id)?.name || undefined,
      idOf: (field, name) => {
        const found = namesOf(field).filter((row) => row.name === name)
        return found.length === 1 ? (found[0]?.id ?? undefined) : undefined
      },
      optionsOf: (field, chosen = []) => {
        const names = namesOf(field)
        const missing = chosen.filter(({ id }) => names.every((row) => row.id !== id))
        return optionsOf([...missing, ...names])
      },
      isPartial: (field) => {
        const list = listOf(field)
        return list !== undefined && list.total > list.items.length
      },
    }
  }, [loaded, targets])
}
