import { expect, test } from 'vitest'
import { openNetwork, type Send } from '../../integrations/cpa-network/cpa-network.ts'
import { readPages } from './connectors.paging.ts'

/** Reads the streams of a network that answers these lists of ids one after the other, and the last one again and again. */
function readStreams(pages: readonly (readonly unknown[])[]) {
  let requests = 0
  return readFrom({ by: 'page' }, async () => {
    const ids = pages[Math.min(requests, pages.length - 1)] ?? []
    requests += 1
    // The counters of a network change between two requests.
    const rows = ids.map((id) => ({ id, title: 'Reels', visits: requests }))
    return { status: 200, headers: {}, text: JSON.stringify({ rows }) }
  })
}

async function readFrom(paging: { by: 'page' | 'next' }, send: Send) {
  const network = openNetwork({
    description: {
      base_url: 'https://network.example',
      limits: { page_delay_ms: 0 },
      streams: {
        url: '/streams',
        items: 'rows',
        paging,
        fields: { extra_id: 'id', name: 'title' },
      },
    },
    account: { login: '', pass: '', api_key: '', token: '' },
    send,
    signal: new AbortController().signal,
    saveToken: async () => {},
  })
  const stored: unknown[][] = []
  const end = readPages({
    network,
    list: 'streams',
    cursor: undefined,
    maxPages: 50,
    shouldPause: async () => false,
    beforePage: async () => {},
    storePage: async (items) => stored.push(items) > 0,
    saveCursor: async () => {},
  })
  return { end: await end.catch((error: Error) => error.message), pages: stored.length }
}

test.each([
  [
    'the rows of the last page again',
    [
      [1, 2],
      [3, 4],
    ],
    'The network sends the same page again',
    2,
  ],
  [
    'the same rows in another order',
    [
      [1, 2],
      [2, 1],
    ],
    'The network sends the same page again',
    1,
  ],
  ['a page without rows', [[1, 2], [2, 3], []], 'end', 3],
  ['rows without an id', [[1], [null], [null], []], 'end', 4],
])('reading ends when a network sends %s', async (_what, pages, end, stored) => {
  expect(await readStreams(pages)).toEqual({ end: expect.stringContaining(end) as string, pages: stored })
})

test.each([
  ['three links with rows', ['b', 'c', 'a'], true],
  ['seven links with rows', ['b', 'c', 'd', 'e', 'f', 'g', 'c'], true],
  ['links without rows', ['b', 'c', 'b'], false],
])('reading ends when the last of %s leads to an earlier page', async (_links, links, hasRows) => {
  const names = ['a', ...links.slice(0, -1)]
  const { end, pages } = await readFrom({ by: 'next' }, async ({ url }) => {
    const name = new URL(url).searchParams.get('at') ?? 'a'
    const rows = hasRows ? [{ id: name, title: 'Reels' }] : []
    const text = JSON.stringify({ rows, next: `/streams?at=${links[names.indexOf(name)]}` })
    return { status: 200, headers: {}, text }
  })
  expect(end).toContain('The network sends the same page again')
  expect(pages).toBeLessThan(3 * links.length)
})
