import { readFileSync, writeFileSync } from 'node:fs'
import type { Statement } from '@karvon/contract/payouts/statements.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Session } from '../../../test/app.ts'
import { readSheet } from '../../../test/exports.ts'
import { createMoneyFixture } from '../../../test/money.ts'
import { startTestServer } from '../../../test/worker.ts'

// On a machine with 2 cores the process held 218 MB during a statement of 1,000 lines and 233 MB during one of 100,000. Only
// Linux has the peak memory of a process.
const isLinux = process.platform === 'linux'
const rows = 100_000
const { product, admin, call, createPerson } = await createMoneyFixture()
const { pool } = product.deps
let server: NodeProcess

beforeAll(async () => {
  server = await startTestServer('keyed-server', product)
})
afterAll(async () => {
  await server.kill()
  await product.close()
})

/** Downloads a file and answers it, with the peak memory of the server meanwhile, in megabytes. */
async function download(as: Session, path: string): Promise<{ bytes: Buffer; peak: number }> {
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
  const answer = await fetch(`${server.url}${path}`, { headers: as.headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.status, bytes.subarray(0, 300).toString()).toBe(200)
  const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
  return { bytes, peak: Number(kibibytes) / 1024 }
}

/** A person with a closed statement of so many lines. Each entry is of a lead. */
async function createStatement(lines: number) {
  const buyer = await createPerson(1)
  const source = await pool.query<{ id: number }>(
    `insert into cpa_sources (name, url) values ('Network', 'https://network.example') returning id`,
  )
  // In pieces, because a statement has a time limit.
  for (let first = 1; first <= lines; first += 5000)
    await pool.query(
      `with lead as (
       insert into leads (source_id, external_id, source_status, payout, day, created_at, updated_at)
       select $1, 'L' || n, 'sold', 0, '2026-02-01', '2026-02-01', '2026-02-01' from generate_series($2::integer, $4::integer) n
       returning id)
     insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount, created_at)
     select 'lead', id, kind, ref, 'UZS', sign * (1 + id % 1000) / 100.0, '2026-02-01T12:00:00Z'::timestamptz + id * interval '1 s'
     from lead cross join (values ('network', $1::bigint, 1), ('person', $3::bigint, -1)) account (kind, ref, sign)`,
      [source.rows[0]?.id, first, buyer.id, Math.min(lines, first + 4999)],
    )
  const body = { user_id: buyer.id, currency: 'UZS', start_date: '2026-02-01', end_date: '2026-02-28' }
  const answer = await call(admin, 'POST', '/api/admin/statements/', body)
  expect(answer.statusCode, answer.body).toBe(201)
  return { buyer, statement: answer.json<Statement>() }
}

test.runIf(isLinux)(
  'a statement of 100,000 lines is streamed as xlsx with the memory of a short one',
  async () => {
    const [short, long] = [await createStatement(1000), await createStatement(rows)]
    const readLines = async ({ buyer, statement }: typeof long) => {
      const path = `/api/user/statements/${statement.id}/entries/?format=xlsx&sort=id`
      const { bytes, peak } = await download(buyer.session, path)
      const [heading = [], ...lines] = await readSheet(bytes)
      expect(lines).toHaveLength(statement.entries)
      const column = heading.indexOf('amount')
      const sum = lines.reduce((total, line) => total + Math.round(Number(line[column]) * 100), 0)
      expect(sum).toBe(Math.round((statement.closing - statement.opening) * 100))
      return peak
    }
    const yardstick = await readLines(short)
    expect(long.statement.entries).toBe(rows)
    expect(await readLines(long), 'megabytes').toBeLessThan(1.6 * yardstick)
  },
)
