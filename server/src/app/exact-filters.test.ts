import type { Call } from '@karvon/contract/lib/call.ts'
import { calls } from '@karvon/contract/registry.ts'
import type { TObject } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScopeFixture } from '../../test/access.fixture.ts'
import { callApi } from '../../test/app.ts'
import { buildPdf } from '../../test/archives.ts'
import { sendFile } from '../../test/files.ts'

type Fixture = Awaited<ReturnType<typeof createScopeFixture>>
type Value = string | number | boolean
interface List {
  items: Record<string, unknown>[]
  meta: { filtered_total: number }
}

let fixture: Fixture
beforeAll(async () => {
  fixture = await createScopeFixture()
  const { product, admin } = fixture
  const source = await callApi(product.app, admin, 'GET', `/api/admin/cpa-sources/${fixture.seen}/`)
  const { postback_key: key } = source.json<{ postback_key: string }>()
  for (const status of ['new', 'sold'])
    await callApi(product.app, null, 'GET', `/api/postback/${key}?tid=1&status=${status}`)
  const file = { name: 'list.pdf', content: buildPdf() }
  await sendFile(product.app, admin, '/api/parcel/files/upload/', file, { description: 'Notes' })
})
afterAll(() => fixture.product.close())

/** Long texts, other names of a column, figures of reports, and what is computed for the answer alone. */
const unfilteredKeys: ReadonlySet<string> = new Set([
  'description',
  'comment',
  'createdAt',
  'updatedAt',
  'isActive',
])
const unfilteredOfCalls: Readonly<Record<string, readonly string[]>> = {
  'alert-rules.list': ['muted', 'open'],
  'inbox.list': ['value', 'threshold', 'base'],
  'audit.list': ['before', 'after'],
  'auth.sessions': ['current', 'user_agent'],
  'sessions.list': ['current', 'user_agent'],
  'leads.list': ['column'],
  'leads.own': ['column'],
  // The recipe of a list filter adds the method.
  'postbacks.list': ['detail', 'method'],
  'uploads.list': ['last_error', 'next_at'],
  'money.entries': ['on_hold', 'available_on', 'reason', 'orderno', 'act_id'],
  'ledger.entries': ['name', 'on_hold', 'available_on', 'orderno', 'act_id'],
  'parcels.all': ['currency'],
  'parcels.search': ['currency'],
  'settlements.list': ['currency', 'paid', 'difference', 'differences'],
  'settlements.own': ['currency', 'collected', 'fees', 'due', 'lines'],
  'settlement-differences.list': ['currency', 'notes_total', 'reason'],
}

const isList = ({ id, method, path, query, answer }: Call): boolean =>
  method === 'GET' &&
  query !== undefined &&
  'items' in ((answer as TObject | undefined)?.properties ?? {}) &&
  !path.includes(':') &&
  !/^(?:report|explore)\./.test(id)

async function fetchList({ path }: Call, query: Record<string, Value>): Promise<List> {
  const { product, admin, lola } = fixture
  const text = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  const session = path.startsWith('/api/user/') ? lola : admin
  const answer = await callApi(product.app, session, 'GET', `${path}?per_page=200&${text.join('&')}`)
  expect(answer.statusCode, `${path} ${text.join('&')}: ${answer.body}`).toBe(200)
  return answer.json<List>()
}

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value)

test('every list has an exact filter by each column that its answer shows', async () => {
  const wrong: string[] = []
  const filteredLists: string[] = []
  for (const call of calls.filter(isList)) {
    const { items, meta } = await fetchList(call, {})
    const keys = new Set(items.flatMap((item) => Object.keys(item)))
    for (const key of keys) {
      if (unfilteredKeys.has(key) || unfilteredOfCalls[call.id]?.includes(key) === true) continue
      const value = items.map((item) => item[key]).find(isValue)
      if (value === undefined) continue
      const expectedCount = items.filter((item) => item[key] === value).length
      const { items: found, meta: foundMeta } = await fetchList(call, { [key]: value })
      const isCounted = items.length < meta.filtered_total || foundMeta.filtered_total === expectedCount
      const isDeclared = key in ((call.query as TObject | undefined)?.properties ?? {})
      if (
        !isDeclared ||
        !isCounted ||
        found.length < expectedCount ||
        found.some((item) => item[key] !== value)
      )
        wrong.push(`${call.id} ${key}=${value}`)
    }
    if (keys.size > 0) filteredLists.push(call.id)
  }
  expect(wrong).toEqual([])
  expect(filteredLists.length).toBeGreaterThan(25)
})
