import type { Call } from '@karvon/contract/lib/call.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { send } from '../lib/http.ts'
import type { ListQuery } from '../lib/list.query.ts'
import { readList, toListResponse } from '../lib/list.result.ts'
import { createRandomHex } from '../lib/random-hex.ts'
import { getNouns } from './resource.labels.ts'
import { resourceTexts } from './resource.texts.ts'
import { formatSort, type TableState } from '../lib/table-state.ts'

/** The page, from 1, of the row at an offset (specification, section 9). */
const getPageAt = (skip: number, limit: number): number => Math.floor(skip / limit) + 1

/** The calls of one resource as functions. They handle the quirks of paging and of the single get. */
export interface ResourceApi<Row, Create, Update> {
  /** The list's call and headers, and its query by the state of the table. */
  list: {
    readonly call: Call
    readonly createHeaders?: () => Readonly<Record<string, string>>
    readonly buildQuery: (state: TableState) => ListQuery
  }
  /** Throws '{Noun} not found' when the answer has no row. */
  get: (id: number, signal?: AbortSignal) => Promise<ReceivedRow<Row>>
  create: (body: Create) => Promise<unknown>
  update: (id: number, body: Update) => Promise<unknown>
  remove: ((id: number) => Promise<unknown>) | undefined
}

export function resourceApi<Row, Create, Update>(
  resource: Resource<Row, Create, Update>,
): ResourceApi<Row, Create, Update> {
  const calls = resourceCalls(resource)
  const usesSkip = resource.quirks.paging === 'skip'
  const buildPaging = ({ page, size }: TableState): ListQuery => {
    const skip = (page - 1) * size
    return usesSkip ? { skip, limit: size } : { page: getPageAt(skip, size), per_page: size }
  }
  return {
    list: {
      call: calls.list,
      // Identifies a list request in the logs of both sides.
      createHeaders: usesSkip ? () => ({ 'X-Request-ID': createRandomHex() }) : undefined,
      buildQuery: (state) => ({
        ...buildPaging(state),
        [resource.quirks.searchBy]: state.search,
        sort: formatSort(state.sort),
        ...state.filters,
      }),
    },
    get: async (id, signal) => {
      const answer = await send(calls.get, { params: { id }, signal })
      const [row] = readList<ReceivedRow<Row>>(toListResponse(answer)).items
      if (row === undefined) throw new Error(resourceTexts.notFound(getNouns(resource)))
      return row
    },
    create: (body) => send(calls.create, { body }),
    update: (id, body) => send(calls.update, { params: { id }, body }),
    remove: calls.delete && createRemove(calls.delete),
  }
}

const createRemove = (call: Parameters<typeof send>[0]) => (id: number) => send(call, { params: { id } })
