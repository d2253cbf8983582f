// The peer of the product's offers list: a bare Fastify handler with the same statement on the same pool. It
// checks no token, no query and no schema.
import { buildPageMeta } from '@karvon/contract/lib/page.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { buildResourceList } from '@karvon/server/resources/crud.queries.ts'
import { buildPageStatement } from '@karvon/server/resources/lists.queries.ts'
import Fastify from 'fastify'

const pool = openPool(process.env['DATABASE_URL'] ?? '', { timezone: 'Asia/Tashkent' })
const size = 10
const { text } = buildPageStatement(buildResourceList(offers, {}), { offset: 0, size })

const app = Fastify()
app.get('/offers', async (_, reply) => {
  const { rows } = await pool.query<{ items: string; count: number; total: number }>({
    name: 'offers',
    text,
  })
  const [row] = rows
  if (row === undefined) throw new Error('The list answered no row')
  const meta = buildPageMeta({ offset: 0, size, items: row.count, total: row.total, filtered: row.total })
  void reply.type('application/json; charset=utf-8')
  return `{"items":${row.items},"meta":${JSON.stringify(meta)}}`
})

const address = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(address)

process.once('SIGTERM', () => {
  void app.close().then(() => pool.end())
})
