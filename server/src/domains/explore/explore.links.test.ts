import { dimensionNames, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { readExploreAddress } from '@karvon/contract/explore/explore.address.ts'
import type { ExploreAnswer, Member } from '@karvon/contract/explore/explore.ts'
import { findLeadsSearch } from '@karvon/contract/explore/explore.leads.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { createRow, createUser, readOwnId } from '../../../test/people.ts'

let product: Product
let admin: Session
let lola: Session

/** Leads of a file, with a region and a reason, and of postbacks, with subs. */
beforeAll(async () => {
  product = await createTestApp()
  const { app, deps } = product
  admin = await signInAdmin(app)
  const create = (url: string, body: object) => createRow(app, admin, url, { ...body })
  const source = await create('/api/admin/cpa-sources/', { name: 'Network', url: 'https://network.example' })
  const role = await create('/api/admin/roles/', { name: 'Buyer', code: 'buyer', source_ids: [source] })
  lola = await createUser(app, admin, 'lola', role)
  const user_id = await readOwnId(app, lola)
  const stream = { name: 'Reels', url: 'https://network.example/reels', source_id: source, user_id }
  await create('/api/admin/streams/', stream)
  const statuses = ['sold', 'accepted', 'hold', 'trash', 'odd']
  const rows = Array.from({ length: 40 }, (_, n) =>
    [
      `file-${n}`,
      `2026-11-${String(1 + (n % 15)).padStart(2, '0')}T${String(n % 24).padStart(2, '0')}:30:00+05:00`,
      statuses[n % 5],
      n,
      n % 4 === 0 ? '' : `Offer ${n % 4}`,
      n % 3 === 0 ? '' : n % 3 === 1 ? 'Reels' : 'Other',
      n % 2 === 0 ? 'Самарканд' : '',
      n % 5 === 3 ? 'Дорого' : '',
    ].join(','),
  )
  const content = ['external_id,created_at,status,payout,offer,stream,Регион,Причина отмены', ...rows].join(
    '\n',
  )
  const file = { name: 'leads.csv', content }
  const answer = await sendFile(app, admin, '/api/admin/leads/import/', file, { source_id: String(source) })
  if (answer.json<{ imported: number }>().imported !== 40) throw new Error(answer.body)
  const key = await deps.pool.query<{ postback_key: string }>(
    'select postback_key from cpa_sources where id = $1',
    [source],
  )
  for (let n = 0; n < 6; n++) {
    const query = `tid=postback-${n}&status=sold&payout=5&sub1=${n % 2 === 0 ? 'a%26b' : ''}&sub2=s${n}&region=Buxoro&cancel_reason=none&created_at=2026-11-0${n + 1}T10:00:00Z`
    const posted = await app.inject({ url: `/api/postback/${key.rows[0]?.postback_key}?${query}` })
    if (posted.statusCode !== 200) throw new Error(posted.body)
  }
})
afterAll(() => product.close())

async function get<Answer>(as: Session, path: string, search: Record<string, string>): Promise<Answer> {
  const answer = await callApi(product.app, as, 'GET', `${path}?${new URLSearchParams(search).toString()}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Answer>()
}

/** Compares each figure of an answer with the number of leads that its link lists. */
async function expectLinks(
  as: Session,
  scope: 'admin' | 'user',
  search: Record<string, string>,
): Promise<number> {
  const { filters } = readExploreAddress(search)
  const { items, totals, meta } = await get<ExploreAnswer>(as, `/api/${scope}/explore`, search)
  const figures = [
    ...items.map(({ row, column, metrics }) => ({ members: membersOf(meta, row, column), metrics })),
    { members: [], metrics: totals.metrics },
  ]
  let count = 0
  for (const { members, metrics } of figures)
    for (const metric of ['leads', 'sold'] as const) {
      const leads = findLeadsSearch({ filters, period: meta.period, members, metric })
      if (leads === null) continue
      const { meta: found } = await get<{ meta: { filtered_total: number } }>(as, `/api/${scope}/leads/`, {
        ...leads,
        per_page: '1',
      })
      expect(found.filtered_total, `${JSON.stringify(search)} ${JSON.stringify(leads)}`).toBe(metrics[metric])
      count += 1
    }
  return count
}

const membersOf = (
  meta: ExploreAnswer['meta'],
  row: Member,
  column: Member | null,
): [DimensionName, Member][] => [
  [meta.rows, row],
  ...(meta.columns === null || column === null
    ? []
    : [[meta.columns, column] satisfies [DimensionName, Member]]),
]

test('the link of each figure of each dimension lists as many leads as the figure says', async () => {
  for (const [at, rows] of dimensionNames.entries()) {
    const columns = dimensionNames[(at + 4) % dimensionNames.length] ?? 'day'
    const query = { rows, columns, metrics: 'leads,sold', top_rows: '3', top_columns: '2' }
    expect(await expectLinks(admin, 'admin', { ...query, date_from: '2026-11-03' }), rows).toBeGreaterThan(2)
    expect(await expectLinks(lola, 'user', { rows, metrics: 'leads,sold' }), rows).toBeGreaterThan(2)
  }
})

test('the link of a figure keeps the filters of the question', async () => {
  const { pool } = product.deps
  await pool.query(`update leads set region = 'a, b' where external_id = 'file-2'`)
  const filters: Record<string, string>[] = [
    { weekday: '2', hour: '13' },
    { without: 'region,sub1' },
    { region: 'Buxoro', sub1: 'a&b' },
    { offer: '0', week: '2026-11-04' },
    { buyer: '0', status: '0' },
    { cancel_reason: 'Дорого', month: '2026-11-20', stream: '0' },
    { weekday: '1,2,7', hour: '3,10,13,15', source: '1,2' },
    { offer: '0,1,2', stream: '0,1', status: '0,1,2,3' },
    { buyer: '0,1,2' },
    { region: 'Buxoro\u001Fa, b', sub2: 's1\u001Fs2', without: 'sub2' },
  ]
  const groups = ['day', 'region', 'offer', 'buyer']
  for (const [at, filter] of filters.entries()) {
    const query = { rows: groups[at % groups.length] ?? 'day', metrics: 'leads,sold', ...filter }
    expect(await expectLinks(admin, 'admin', query)).toBeGreaterThan(0)
  }
})

test('a lead shows its region and its cancel reason, and a later report without them keeps them', async () => {
  const { pool } = product.deps
  const sources = await pool.query<{ postback_key: string }>('select postback_key from cpa_sources')
  const url = `/api/postback/${sources.rows[0]?.postback_key}?tid=postback-1&status=trash`
  expect((await product.app.inject({ url })).statusCode).toBe(200)
  const { items } = await get<{ items: object[] }>(admin, '/api/admin/leads/', { external_id: 'postback-1' })
  expect(items).toMatchObject([{ source_status: 'trash', region: 'Buxoro', cancel_reason: 'none' }])
})
