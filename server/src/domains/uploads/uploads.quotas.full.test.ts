import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildPdf, buildWorkbook } from '../../../test/archives.ts'
import { sendFile } from '../../../test/files.ts'
import { createUser, readId } from '../../../test/people.ts'
import { importOrders } from '../parcels/parcels.orders.ts'
import { runChecks } from '../../platform/database/check.ts'
import { usageCheck } from '../quotas/quotas.check.ts'

const quotas = { uploads: 5, uploadBytes: 1024 * 1024, parcels: 3 }
let product: Product
let admin: Session
let aziz: Session
let azizId: number

beforeAll(async () => {
  product = await createTestApp({}, { quotas, uploadAnswerTimeout: 60_000 })
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
  azizId = await readId(product.app, admin, '/api/admin/users/?search=aziz')
})
afterAll(() => product.close())

const run = (text: string, values: unknown[] = []) => product.deps.pool.query(text, values)

beforeEach(async () => {
  await run('delete from uploads')
  await run('delete from parcel_events')
  await run('delete from parcels')
})

const upload = (name: string, content: Buffer, as = aziz) =>
  sendFile(product.app, as, '/api/parcel/files/upload/', { name, content })
const document = (mark: string, bytes = 0) =>
  Buffer.concat([buildPdf(), Buffer.from(`\n%${mark}`), Buffer.alloc(bytes, 32)])
const orders = (...numbers: string[]) =>
  buildWorkbook([
    [1, { A: 'orderno', B: 'person' }],
    ...numbers.map((orderno, at): [number, Record<string, string>] => [at + 2, { A: orderno, B: 'Aziza' }]),
  ])

async function countStored() {
  const { rows } = await run(
    `select (select count(*) from uploads) as uploads, (select count(*) from parcels) as parcels`,
  )
  const names = await readdir(join(product.deps.config.dataFolder, 'files'), { recursive: true }).catch(
    () => [],
  )
  const incoming = await readdir(join(product.deps.config.dataFolder, 'incoming')).catch(() => [])
  expect(incoming).toEqual([])
  return {
    ...(rows[0] as { uploads: number; parcels: number }),
    files: names.filter((name) => /[\da-f]{64}$/.test(name)).length,
  }
}

async function expectCountsRight() {
  const client = await product.deps.pool.connect()
  try {
    const [[, checkResult] = []] = await runChecks(client, [usageCheck])
    expect(checkResult?.faults).toEqual([])
  } finally {
    client.release()
  }
}

test("an upload over a person's number quota is refused without a file, and fits after a deletion", async () => {
  for (let n = 1; n <= quotas.uploads; n += 1)
    expect((await upload(`${n}.pdf`, document(`count ${n}`))).statusCode).toBe(200)
  const before = await countStored()
  const answer = await upload('6.pdf', document('count 6'))
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toEqual({
    code: 'upload_quota_exceeded',
    params: { max: 5 },
    detail:
      'You have 5 stored uploads, as many as one person may have. Ask an admin to raise the limit, then send the file again.',
  })
  expect(await countStored()).toEqual(before)
  await run('delete from uploads where id = (select min(id) from uploads)')
  expect((await upload('6.pdf', document('count 6'))).statusCode).toBe(200)
  await expectCountsRight()
})

test("an upload over a person's byte quota is refused, and fits after a deletion", async () => {
  expect((await upload('large.pdf', document('large', 700_000))).statusCode).toBe(200)
  const answer = await upload('second.pdf', document('second', 700_000))
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({
    code: 'upload_space_exceeded',
    detail: expect.stringContaining('more than 1 MB') as string,
  })
  await run('delete from uploads')
  expect((await upload('second.pdf', document('second', 700_000))).statusCode).toBe(200)
})

test('twenty simultaneous uploads of one person store no more than the quota', async () => {
  const before = (await countStored()).files
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => upload(`${n}.pdf`, document(`at once ${n}`))),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(quotas.uploads)
  // 429: too many uploads of one person at the same time.
  expect(statuses.filter((status) => status === 422 || status === 429)).toHaveLength(20 - quotas.uploads)
  expect(await countStored()).toEqual({ uploads: quotas.uploads, parcels: 0, files: before + quotas.uploads })
  await expectCountsRight()
})

test('an admin has no quota', async () => {
  const answers = await Promise.all(
    Array.from({ length: quotas.uploads + 1 }, (_, n) => upload(`${n}.pdf`, document(`admin ${n}`), admin)),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  const answer = await upload('orders.xlsx', orders('A1', 'A2', 'A3', 'A4'), admin)
  expect(answer.json()).toMatchObject({ imported: 4 })
})

/** Uploads an order file, and once more while the server had no time for its orders, as on a busy machine. */
async function uploadInTime(name: string, content: Buffer) {
  for (;;) {
    const answer = await upload(name, content)
    if (!answer.body.includes('There was no time left')) return answer
  }
}

test('an order file whose new orders exceed the quota is refused, and known orders do not count', async () => {
  expect((await uploadInTime('full.xlsx', orders('Q1', 'Q2', 'Q3'))).json()).toMatchObject({ imported: 3 })
  const before = await countStored()
  const answer = await upload('more.xlsx', orders('Q1', 'Q4'))
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({
    code: 'parcel_quota_exceeded',
    detail: expect.stringContaining('more than 3 parcels from order files') as string,
  })
  expect(await countStored()).toEqual(before)
  const again = await uploadInTime('again.xlsx', orders('Q1', 'Q2'))
  expect(again.json()).toMatchObject({ imported: 0, skipped: 2, errors: [] })
  await run(`delete from parcel_events`)
  await run(`delete from parcels where orderno = 'Q1'`)
  expect((await uploadInTime('more.xlsx', orders('Q4'))).json()).toMatchObject({ imported: 1 })
  await expectCountsRight()
})

test('twenty simultaneous order files of one person store no more parcels than the quota', async () => {
  const paths = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const path = join(product.deps.config.dataFolder, `orders-${n}`)
      await writeFile(path, orders(`P${n}`))
      return path
    }),
  )
  // Several batches wait in their transactions for the lock of the person's row.
  const holder = await product.deps.pool.connect()
  await holder.query('begin')
  await holder.query(
    'insert into person_usage (user_id) values ($1) on conflict (user_id) do update set parcel_count = 0',
    [azizId],
  )
  const imports = paths.map((path) =>
    importOrders(product.deps, {
      file: { path, extension: 'xlsx' },
      ownerId: azizId,
      deadline: performance.now() + 60_000,
      seconds: 60,
    }),
  )
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const countWaiting = async () => {
    await holder.query('select pg_stat_clear_snapshot()')
    return (await holder.query<{ count: number }>(waiting)).rows[0]?.count
  }
  await expect.poll(countWaiting).toBeGreaterThan(quotas.parcels)
  await holder.query('commit')
  holder.release()
  const results = await Promise.all(imports)
  expect(results.filter((result) => result?.imported === 1)).toHaveLength(quotas.parcels)
  const refusedResults = results.filter((result) =>
    result?.errors[0]?.message.startsWith('1 orders were not stored'),
  )
  expect(refusedResults).toHaveLength(20 - quotas.parcels)
  expect((await countStored()).parcels).toBe(quotas.parcels)
  await expectCountsRight()
})
