import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { day } from '../../test/moment.ts'
import { passTime } from '../../test/pass-time.ts'
import { clockSetBackJob } from './clock.jobs.ts'

let product: Product

beforeAll(async () => {
  product = await createTestApp()
})
afterAll(() => product.close())

const runJob = () =>
  clockSetBackJob({ db: product.deps.db, log: pino({ level: 'silent' }) }).run(new AbortController().signal)

const readProfile = async (session: Session) => {
  await product.deps.identities.invalidate()
  return (await callApi(product.app, session, 'GET', '/parcel/auth/me')).statusCode
}

test('a session that began while the clock was ahead ends at its time', async () => {
  const { pool, config } = product.deps
  const session = await signInAdmin(product.app)
  await runJob()
  await passTime(pool, -1000 * day)
  await runJob()
  expect(await readProfile(session)).toBe(200)
  await passTime(pool, (config.session.idleDays + 1) * day)
  expect(await readProfile(session)).toBe(401)
})

test('a session that began before the clock was ahead keeps its end, and is unused from its last use on', async () => {
  const { pool, config } = product.deps
  const session = await signInAdmin(product.app)
  await runJob()
  const readEnd = async () =>
    (
      await pool.query<{ days: number }>(
        'select round(extract(epoch from max(expires_at) - now()) / 86400)::int as days from sessions',
      )
    ).rows[0]?.days
  const days = await readEnd()
  // The clock is set ahead, the session is used, and the clock is set back.
  await pool.query(`update sessions set last_used_at = now() + interval '900 days'`)
  await pool.query(`update database_clock set stored_at = now() + interval '900 days'`)
  await runJob()
  expect(await readEnd()).toBe(days)
  expect(await readProfile(session)).toBe(200)
  await passTime(pool, (config.session.idleDays + 1) * day)
  expect(await readProfile(session)).toBe(401)
})
