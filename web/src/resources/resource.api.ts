import type { Call } from '@karvon/contract/lib/call.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { send, type QueryValue } from '../lib/http.ts'
import { readFirstRow, readList, type ListResult } from '../lib/list.result.ts'
import { createRandomHex } from '../lib/random-hex.ts'
import { resourceTexts } from './resource.texts.ts'
import { formatSort, type TableState } from '../lib/table-state.ts'

/** The page, from 1, of the row at an offset (specification, section 9). */
const getPageAt = (skip: number, limit: number): number => Math.floor(skip / limit) + 1

/** The calls of one resource as functions. They handle the quirks of paging and of the single get. */
export interface ResourceApi<Row, Create, Update> {
  /** The list's call and its current query, for an export. */
  buildExport: (state: TableState) => { call: Call; query: Readonly<Record<string, QueryValue>> }
  list: (state: TableState, signal?: AbortSignal) => Promise<ListResult<ReceivedRow<Row>>>
  /** Throws '{Noun} not found' when the answer has no row. */
  get: (id: number, signal?: AbortSignal) => Promise<ReceivedRow<Row>>
  create: (body: Create) => Promise<unknown>
  update: (id: number, body: Update) => Promise<unknown>
  remove: ((id: number) => Promise<unknown>) | undefined
}

export function resourceApi<Row, Create, Update>(
  of: Resource<Row, Create, Update>,
): ResourceApi<Row, Create, Update> {
  const calls = resourceCalls(of)
  const usesSkip = of.quirks.paging === 'skip'
  const buildQuery = ({ search, sort, filters }: TableState) => ({
    [of.quirks.searchBy]: search,
    sort: formatSort(sort),
    ...filters,
  })
  return {
    buildExport: (state) => ({ call: calls.list, query: buildQuery(state) }),
    list: async (state, signal) => {
      const { page, size } = state
      const skip = (page - 1) * size
      const at: Record<string, QueryValue> = usesSkip
        ? { skip, limit: size }
        : { page: getPageAt(skip, size), per_page: size }
      const answer = await send(calls.list, {
        query: { ...at, ...buildQuery(state) },
        // Identifies a list request in the logs of both sides.
        ...(usesSkip && { headers: { 'X-Request-ID': createRandomHex() } }),
        ...(signal && { signal }),
      })
      return readList<ReceivedRow<Row>>(answer, state)
    },
    get: async (id, signal) => {
      const row = readFirstRow(await send(calls.get, { params: { id }, ...(signal && { signal }) })) as
        | ReceivedRow<Row>
        | undefined
      if (row === undefined) throw new Error(resourceTexts.notFound(of.noun.one))
      return row
    },
    create: (body) => send(calls.create, { body }),
    update: (id, body) => send(calls.update, { params: { id }, body }),
    remove: calls.delete && createRemove(calls.delete),
  }
}

const createRemove = (call: Parameters<typeof send>[0]) => (id: number) => send(call, { params: { id } })
