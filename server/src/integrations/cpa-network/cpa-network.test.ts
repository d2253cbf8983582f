import { expect, test } from 'vitest'
import { openNetwork } from './cpa-network.ts'

/** The seconds that a client waits after a 429 with these headers. */
async function readWait(headers: Record<string, string>): Promise<unknown> {
  const network = openNetwork({
    description: {
      streams: {
        url: 'https://network.example/streams',
        items: 'data',
        paging: { by: 'page' },
        fields: { extra_id: 'id', name: 'title' },
      },
    },
    account: { login: '', pass: '', api_key: '', token: '' },
    send: async () => ({ status: 429, headers, text: '' }),
    signal: new AbortController().signal,
    saveToken: async () => {},
  })
  return network.fetchPage('streams').catch((error: unknown) => error)
}

const date = 'Sun, 29 Nov 2026 10:00:00 GMT'

test.each([
  ['seconds', { 'retry-after': '30' }, 30],
  ['few seconds', { 'retry-after': '0' }, 5],
  ['many seconds', { 'retry-after': '86400' }, 120],
  ['a date', { date, 'retry-after': 'Sun, 29 Nov 2026 10:01:10 GMT' }, 70],
  ['a date in the past', { date, 'retry-after': 'Sun, 29 Nov 2026 09:59:00 GMT' }, 5],
  ['a date far ahead', { date, 'retry-after': 'Mon, 30 Nov 2026 10:00:00 GMT' }, 120],
  ['no seconds', {}, 45],
  ['a negative number', { 'retry-after': '-5' }, 45],
  ['another text', { 'retry-after': 'soon' }, 45],
])('after a 429 with %s in Retry-After the client waits %j: %s s', async (_what, headers, seconds) => {
  expect(await readWait(headers)).toMatchObject({ kind: 'rate_limited', seconds })
})
