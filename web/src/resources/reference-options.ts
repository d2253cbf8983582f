import { useMemo } from 'react'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Field, Fields, Named } from '@karvon/contract/lib/field.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import { maxFilterValues } from '@karvon/contract/lib/limits.ts'
import { referenceCalls } from '@karvon/contract/lib/resource-calls.ts'
import type { OptionSearch } from '../components/fields/option-search.hook.ts'
import type { Option } from '../components/fields/options.ts'
import { send } from '../lib/http.ts'
import { readList, toListResponse, type ListResult } from '../lib/list.result.ts'
import { queryKeys, type QueryKey } from '../lib/query-keys.ts'

/** The number of rows that a select loads before a search (specification, section 9). */
const maxReferenceOptions = 100

/** Milliseconds for which loaded options count as fresh. */
const staleTimeMs = 60_000

type OptionList = ListResult<Received<Named>>

const noIds: readonly string[] = []

/** Rows that a select can offer. */
export interface OptionSource {
  /** The cache key. All pages share the answer. */
  readonly key: QueryKey
  /** The first matching rows, sorted by name. `filtered` is the number of all rows that match. */
  readonly search: (search: string, signal?: AbortSignal) => Promise<OptionList>
  /** A single row that the first answer does not have. Absent where the caller may not ask for one. */
  readonly findOne?: (id: string, signal: AbortSignal) => Promise<Received<Named> | undefined>
}

/** The rows of a resource that match `filter`, by the name of the resource. Only admins may ask for them. */
export function resourceOptions(resource: string, filter?: Readonly<Record<string, string>>): OptionSource {
  const calls = referenceCalls(resource)
  const key = queryKeys.resourceOptions(resource)
  return {
    key: filter === undefined ? key : [...key, filter],
    search: async (search, signal) => {
      const query = { page: 1, per_page: maxReferenceOptions, sort: 'name', search, ...filter }
      return readList<Received<Named>>(await send(calls.list, { query, ...(signal && { signal }) }))
    },
    findOne: async (id, signal) => {
      const answer = await send(calls.get, { params: { id }, signal })
      return readList<Received<Named>>(toListResponse(answer)).items[0]
    },
  }
}

/** Rows as options. The label of a row without a name is its id. */
export const toOptions = (rows: readonly Received<Named>[] = []): Option[] =>
  rows.flatMap(({ id, name }) =>
    typeof id === 'number' ? [{ value: String(id), label: name || `#${id}` }] : [],
  )

/** The search on the server behind a select of a resource's rows. */
export const searchOptions = (resource: string): OptionSearch => searchSource(resourceOptions(resource))

const searchSource = (source: OptionSource) => async (query: string) =>
  toOptions((await source.search(query)).items)

/** The query of the first rows of a source. */
export const buildOptionsQuery = (source: OptionSource) => ({
  queryKey: source.key,
  queryFn: ({ signal }: { signal: AbortSignal }) => source.search('', signal),
  staleTime: staleTimeMs,
})

/** Whether more rows exist than were loaded. The select then searches on the server. */
const isPartial = (list: OptionList | undefined) => list !== undefined && list.filtered > list.items.length

// A constant function keeps the identity of equal results, so that memoised rows are not drawn again.
const getResults = <Data>(results: readonly { data: Data }[]) => results.map(({ data }) => data)

export interface SelectOptions {
  readonly options: readonly Option[]
  /** Undefined when `options` has all rows. */
  readonly onSearch: OptionSearch | undefined
  readonly isLoading: boolean
  readonly error: Error | null
}

/**
 * The options of one select, which load as soon as `enabled` is true. The ids `selectedIds` are always among them, also when they
 * lie beyond the first rows.
 */
export function useOptions(
  source: OptionSource,
  selectedIds: readonly string[] = noIds,
  enabled = true,
): SelectOptions {
  const { data, error, isLoading } = useQuery({ ...buildOptionsQuery(source), enabled })
  const firstIds = new Set(data?.items.map(({ id }) => String(id)))
  // An address can name more ids than a filter may have.
  const otherIds =
    data === undefined
      ? noIds
      : selectedIds.slice(0, maxFilterValues).filter((id) => Number(id) > 0 && !firstIds.has(id))
  const otherRows = useQueries({
    queries: otherIds.map((id) => ({
      queryKey: [...source.key, id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await source.findOne?.(id, signal)) ?? null,
      staleTime: staleTimeMs,
    })),
    combine: getResults,
  })
  const idList = otherIds.join(',')
  return useMemo(() => {
    const ids = idList === '' ? [] : idList.split(',')
    const options = ids.map((id, at) => ({ value: id, label: otherRows[at]?.name ?? `#${id}` }))
    return {
      options: [...options, ...toOptions(data?.items)],
      onSearch: data === undefined || isPartial(data) ? searchSource(source) : undefined,
      isLoading,
      error,
    }
  }, [source, data, error, isLoading, idList, otherRows])
}

/** The rows that the reference fields of a resource can point to. */
export interface ReferenceOptions {
  /** The name of a row, for a list whose answer has only the id. */
  findName: (field: Field, id: number) => string | undefined
  /** The id of the row with this name. Undefined where no row, or more than one, has the name. */
  findId: (field: Field, name: string) => number | undefined
  /** The options of a field's select. `selected` rows are added where they are missing. */
  getOptions: (field: Field, selected?: readonly Received<Named>[]) => readonly Option[]
  /** Whether the select must search on the server because not all rows are loaded, or not yet. */
  isPartial: (field: Field) => boolean
}

/**
 * Loads the options of all reference fields. Pages share the answer for each resource.
 * A failed request leaves its selects empty. The list on the page shows why it could not load.
 */
export function useReferenceOptions(fields: Fields): ReferenceOptions {
  const targets = useMemo(
    () => [...new Set(Object.values(fields).flatMap(({ target }) => (target === undefined ? [] : [target])))],
    [fields],
  )
  const results = useQueries({
    queries: targets.map((target) => buildOptionsQuery(resourceOptions(target))),
    combine: getResults,
  })
  return useMemo(() => {
    const getList = ({ target }: Field) =>
      target === undefined ? undefined : results[targets.indexOf(target)]
    const getRows = (field: Field) => getList(field)?.items ?? []
    return {
      findName: (field, id) => getRows(field).find((row) => row.id === id)?.name || undefined,
      findId: (field, name) => {
        const matches = getRows(field).filter((row) => row.name === name)
        return matches.length === 1 ? (matches[0]?.id ?? undefined) : undefined
      },
      getOptions: (field, selectedRows = []) => {
        const rows = getRows(field)
        const missingRows = selectedRows.filter(({ id }) => rows.every((row) => row.id !== id))
        return toOptions([...missingRows, ...rows])
      },
      isPartial: (field) => getList(field) === undefined || isPartial(getList(field)),
    }
  }, [results, targets])
}
