import type { Call } from '@karvon/contract/lib/call.ts'
import type { Named } from '@karvon/contract/lib/field.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import type { Received, ReceivedRow } from '@karvon/contract/lib/received.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { send, type QueryValue } from '../lib/http.ts'
import { firstOf, readList, type ListAnswer } from '../lib/list.answer.ts'
import { randomHex } from '../lib/random-hex.ts'
import { resourceTexts } from './resource.texts.ts'
import { sortText, type TableState } from '../lib/table-state.ts'

/** The page, from 1, on which the row at an offset lies (specification, section 9). */
const pageAt = (skip: number, limit: number): number => Math.floor(skip / limit) + 1

/** What the calls of one resource do, its quirks of paging and of the single get included. */
export interface ResourceApi<Row, Create, Update> {
  /** The list's own call and what narrows and sorts it, for an export. */
  listed: (state: TableState) => { call: Call; query: Readonly<Record<string, QueryValue>> }
  list: (state: TableState, signal?: AbortSignal) => Promise<ListAnswer<ReceivedRow<Row>>>
  /** Throws '{Noun} not found' when the answer holds no row. */
  get: (id: number, signal?: AbortSignal) => Promise<ReceivedRow<Row>>
  create: (body: Create) => Promise<unknown>
  update: (id: number, body: Update) => Promise<unknown>
  remove: ((id: number) => Promise<unknown>) | undefined
}

export function resourceApi<Row, Create, Update>(
  of: Resource<Row, Create, Update>,
): ResourceApi<Row, Create, Update> {
  const calls = resourceCalls(of)
  const bySkip = of.quirks.paging === 'skip'
  const wanted = ({ search, sort, filters }: TableState) => ({
    [of.quirks.searchBy]: search,
    sort: sortText(sort),
    ...filters,
  })
  return {
    listed: (state) => ({ call: calls.list, query: wanted(state) }),
    list: async (state, signal) => {
      const { page, size } = state
      const skip = (page - 1) * size
      const at: Record<string, QueryValue> = bySkip
        ? { skip, limit: size }
        : { page: pageAt(skip, size), per_page: size }
      const answer = await send(calls.list, {
        query: { ...at, ...wanted(state) },
        // Tells one list request from another in the logs of both sides.
        ...(bySkip && { headers: { 'X-Request-ID': randomHex() } }),
        ...(signal && { signal }),
      })
      return readList<ReceivedRow<Row>>(answer, state)
    },
    get: async (id, signal) => {
      const row = firstOf(await send(calls.get, { params: { id }, ...(signal && { signal }) })) as
        | ReceivedRow<Row>
        | undefined
      if (row === undefined) throw new Error(resourceTexts.notFound(of.noun.one))
      return row
    },
    create: (body) => send(calls.create, { body }),
    update: (id, body) => send(calls.update, { params: { id }, body }),
    remove: calls.delete && remover(calls.delete),
  }
}

const remover = (call: Parameters<typeof send>[0]) => (id: number) => send(call, { params: { id } })

/** How many rows the fetch-all helpers ask for (specification, section 9). */
const helperSize = 100

/**
 * Names of a resource's rows for selects and look-ups: the first {@link helperSize} by name, of those
 * that match `search`. Every resource's list lies at the same place, so its name is enough.
 */
export async function listNames(
  resource: string,
  search = '',
  signal?: AbortSignal,
): Promise<ListAnswer<Received<Named>>> {
  const answer = await send(
    { id: `${resource}.names`, summary: '', method: 'GET', path: `/api/admin/${resource}/`, guard: 'admin' },
    { query: { page: 1, per_page: helperSize, sort: 'name', search }, ...(signal && { signal }) },
  )
  return readList<Received<Named>>(answer)
}
