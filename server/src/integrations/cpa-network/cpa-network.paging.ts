import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { NetworkError } from './cpa-network.error.ts'
import { fillSecrets, fillTemplate, getByPath, maskSecrets } from './cpa-network.templates.ts'
import type { NetworkAccount, NetworkList } from './cpa-network.ts'

type ListDescription = NonNullable<ConnectorDescription[NetworkList]>
type Paging = ListDescription['paging']
/** The values of the placeholders. */
type Values = NetworkAccount & Record<string, string>

/** The cursor of the first page. */
export const getFirstCursor = (paging: Paging): string => {
  if (paging.by === 'page') return String(paging.first ?? 1)
  return paging.by === 'offset' ? '0' : ''
}

/** Builds the URL of a page. `base` is the URL of the list. */
export function buildPageUrl(
  base: string,
  { list, cursor, values }: { list: ListDescription; cursor: string; values: Values },
): string {
  const { paging, query = {} } = list
  // The network's link to the next page is complete.
  if (paging.by === 'next' && cursor !== '') return fillSecrets(new URL(cursor), values)
  const url = new URL(base)
  for (const [key, text] of Object.entries(query)) url.searchParams.set(key, fillTemplate(text, values))
  if (paging.size_param !== undefined && paging.size !== undefined)
    url.searchParams.set(paging.size_param, String(paging.size))
  if (paging.by === 'page' || paging.by === 'offset') url.searchParams.set(paging.param ?? paging.by, cursor)
  return url.toString()
}

/** Finds the cursor of the page after `answer`, which was at `url`; null after the last page. */
export function findNextCursor(
  paging: Paging,
  {
    cursor,
    rows,
    answer,
    url,
    values,
  }: { cursor: string; rows: number; answer: unknown; url: string; values: Values },
): string | null {
  if (paging.by === 'none' || (rows === 0 && paging.by !== 'next')) return null
  if (paging.by === 'next') {
    const link = getByPath(answer, paging.next ?? 'next')
    if (typeof link !== 'string' || link === '') return null
    const next = URL.canParse(link, url) ? new URL(link, url) : null
    if (next === null || next.origin !== new URL(url).origin)
      throw new NetworkError('failed', describeSync('network_next_page'))
    return maskSecrets(next, values)
  }
  const position = Number(cursor)
  const step = paging.by === 'page' ? 1 : rows
  const last = readCount(answer, paging.last)
  if (last !== undefined && paging.by === 'page') return position < last ? String(position + step) : null
  const total = readCount(answer, paging.total)
  if (total !== undefined) {
    const readRows =
      paging.by === 'offset' ? position + rows : (position - (paging.first ?? 1) + 1) * (paging.size ?? rows)
    return readRows < total ? String(position + step) : null
  }
  return String(position + step)
}

/** The number of pages or rows at a path of an answer; undefined where it has none, such as a null. */
function readCount(answer: unknown, path: string | undefined): number | undefined {
  const value = path === undefined ? undefined : getByPath(answer, path)
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined
}
