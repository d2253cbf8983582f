import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { messageQueueJob, queueJob } from './queue.job.ts'

let product: Product
const quiet = new AbortController().signal

beforeAll(async () => {
  product = await createTestApp()
})
afterAll(() => product.close())
beforeEach(() => query('delete from notices'))

const query = async (text: string) => (await product.deps.pool.query(text)).rows

test('an error of a handler ends the run: its row stays leased, and the next run takes the other rows', async () => {
  await query(`insert into notices (user_id, kind, once, text)
    select (select min(id) from users), 'digest', n, n from generate_series(1, 3) n`)
  const listRows = () =>
    query(`select once, status, attempts, unsure, leased_until > now() as is_leased from notices order by id`)
  const sent = { status: 'sent', attempts: 1, unsure: false, is_leased: null }
  const attempts: string[] = []
  let losesConnection = true
  const job = messageQueueJob(product.deps, {
    name: 'notices',
    table: 'notices',
    interval: 5000,
    async deliver(id) {
      const [row] = await query(`select once from notices where id = ${id}`)
      attempts.push(row?.once)
      if (losesConnection) await query('select pg_terminate_backend(pg_backend_pid())')
      return null
    },
  })
  await expect(job.run(quiet)).rejects.toThrow(/connection/)
  const leased = { once: '1', status: 'queued', attempts: 1, unsure: false, is_leased: true }
  const waiting = { status: 'queued', attempts: 0, unsure: false, is_leased: null }
  expect(await listRows()).toEqual([leased, { once: '2', ...waiting }, { once: '3', ...waiting }])

  losesConnection = false
  await job.run(quiet)
  expect(await listRows()).toEqual([leased, { once: '2', ...sent }, { once: '3', ...sent }])

  // The outcome of an attempt whose lease ended is unknown.
  await query(`update notices set leased_until = now() - interval '1 second' where once = '1'`)
  await job.run(quiet)
  expect((await listRows())[0]).toEqual({ once: '1', ...sent, attempts: 2, unsure: true })
  expect(attempts).toEqual(['1', '2', '3', '1'])
})

test('a queue of messages waits for its pause between two rows', async () => {
  await query(`insert into notices (user_id, kind, once, text)
    select (select min(id) from users), 'digest', n, n from generate_series(1, 3) n`)
  const times: number[] = []
  const job = messageQueueJob(product.deps, {
    name: 'notices',
    table: 'notices',
    interval: 5000,
    pause: 200,
    async deliver() {
      times.push(performance.now())
      return null
    },
  })
  await job.run(quiet)
  const [first = 0, second = 0, third = 0] = times
  expect(times).toHaveLength(3)
  // A timer may end a millisecond early.
  for (const wait of [second - first, third - second]) expect(wait).toBeGreaterThan(198)
})

test('a run that ends on an error waits for its other handlers and starts no further row', async () => {
  const rows = ['fails', 'lasts', 'later']
  const events: string[] = []
  const failure = Promise.withResolvers<void>()
  const job = queueJob<string>({
    name: 'notices',
    interval: 5000,
    concurrency: 2,
    lease: async (limit) => rows.splice(0, limit),
    async handle(row) {
      if (row === 'fails') {
        // Microtasks of the queue run before the other handler ends.
        setImmediate(failure.resolve)
        throw new Error('The row failed')
      }
      await failure.promise
      events.push(row)
    },
  })
  await job.run(quiet).catch((error: Error) => events.push(error.message))
  expect(events).toEqual(['lasts', 'The row failed'])
  await job.run(quiet)
  expect([rows, events]).toEqual([[], ['lasts', 'The row failed', 'later']])
})
