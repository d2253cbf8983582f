import { afterEach, describe, expect, test, vi } from 'vitest'
import { openAccounts, getMailedToken } from '../../test/accounts.ts'
import { callApi, createTestApp, firstAdmin, signInAdmin, type Product } from '../../test/app.ts'
import { openBuyer } from '../../test/buyer.ts'
import { runJob } from '../../test/jobs.ts'
import { day } from '../../test/moment.ts'
import { openPostbacks } from '../../test/postbacks.ts'
import { accountsJobs } from '../domains/accounts/accounts.jobs.ts'
import { createCode, getCounter } from '../domains/auth/second-factor.totp.ts'
import { outgoingPostbacksJob } from '../domains/outgoing-postbacks/outgoing-postbacks.job.ts'

let close: () => Promise<void> = async () => {}

afterEach(async () => {
  await close()
  vi.useRealTimers()
})

/** Shifts the clock of this process alone by a number of milliseconds. */
const setClock = (off: number) => vi.useFakeTimers({ toFake: ['Date'], now: realTime() + off })
const realTime = () => Math.round(performance.timeOrigin + performance.now())

const minutesAgo = async ({ deps }: Product, table: string, column: string) => {
  const text = `select extract(epoch from now() - max(${column}))::float8 / 60 as minutes from ${table}`
  return (await deps.pool.query<{ minutes: number }>(text)).rows[0]?.minutes
}

describe.each([
  ['75 days ahead of', 75 * day],
  ['75 days behind', -75 * day],
])('a process whose clock is %s the database’s', (_, off) => {
  test('in a process with a wrong clock a new session is listed as valid and codes of the second factor are accepted', async () => {
    setClock(off)
    const product = await createTestApp()
    close = () => product.close()
    const admin = await signInAdmin(product.app)
    const sessions = await callApi(product.app, admin, 'GET', '/parcel/auth/sessions')
    expect(sessions.json<{ items: unknown[] }>().items).toMatchObject([{ current: true }])
    const at = '/parcel/auth/second-factor'
    const setup = await callApi(product.app, admin, 'POST', `${at}/begin`, {
      current_password: firstAdmin.password,
    })
    const { rows } = await product.deps.pool.query<{ now: number }>(
      'select extract(epoch from now())::float8 * 1000 as now',
    )
    const code = createCode(setup.json<{ secret: string }>().secret, getCounter(rows[0]?.now ?? 0))
    const confirmation = await callApi(product.app, admin, 'POST', `${at}/confirm`, { code })
    expect(confirmation.statusCode).toBe(200)
  })

  test('in a process with a wrong clock a mailed link is valid for its hour, and registered accounts keep their 30 days', async () => {
    setClock(off)
    const fixture = await openAccounts()
    close = () => fixture.close()
    await fixture.createPerson('dilnoza', 'dilnoza@example.uz')
    await fixture.requestResetTokens('dilnoza@example.uz')
    const token = getMailedToken(fixture.smtp.accepted[0]?.text ?? '')
    const answer = await fixture.post('reset-password', { token, password: 'sovsem-novyy' })
    expect(answer.statusCode).toBe(200)
    for (const username of ['nodira', 'olim'])
      await fixture.post('register', { username, email: 'new@example.uz', password: 'novyy-parol' })
    await fixture.query(`update users set created_at = now() - interval '31 days' where username = 'olim'`)
    await runJob(accountsJobs(fixture.product.deps), 'forgotten-accounts')
    expect(await fixture.query('select username from users where waiting')).toEqual([{ username: 'nodira' }])
  })

  test("in a process with a wrong clock a retried postback is sent at once, and a tracker's requested wait is kept", async () => {
    setClock(off)
    const buyer = await openBuyer()
    close = () => buyer.close()
    await buyer.newStream()
    await buyer.addTemplate('/?s={status}')
    await buyer.ingest({ external_id: '1', source_status: 'sold' })
    buyer.tracker.mode = 'broken'
    await buyer.runJob()
    const [row] = await buyer.log()
    const url = `/api/admin/outgoing-postbacks/${row?.id}/retry/`
    expect((await callApi(buyer.product.app, buyer.admin, 'POST', url)).statusCode).toBe(200)
    buyer.tracker.mode = 'busy_until'
    buyer.tracker.retryAfterSeconds = 120
    // The job of another process does not know the failure.
    await outgoingPostbacksJob(buyer.product.deps).run(new AbortController().signal)
    expect(await buyer.log()).toMatchObject([
      { last_error: expect.stringMatching(/asked to wait 1[12]\d s/) },
    ])
  })

  test("a process with a wrong clock stores a postback with the database's time", async () => {
    setClock(off)
    const network = await openPostbacks()
    close = () => network.close()
    await network.newSource()
    await network.get({ tid: '1', status: 'sold' })
    expect(await minutesAgo(network.product, 'leads', 'updated_at')).toBeCloseTo(0, 0)
    expect(await minutesAgo(network.product, 'postbacks', 'at')).toBeCloseTo(0, 0)
  })

  test("a process with a wrong clock refuses a time that is in the future by the database's clock, and no other", async () => {
    const present = realTime()
    setClock(off)
    const network = await openPostbacks()
    close = () => network.close()
    await network.newSource()
    const send = async (tid: string, time: number) =>
      (await network.get({ tid, status: 'sold', updated_at: new Date(time).toISOString() })).status
    expect([await send('1', present), await send('2', present + 4 * day)]).toEqual([200, 422])
  })
})

describe('Clock difference', () => {
  test('a clock difference is in the readiness answer, and logged once for each change of more than 30 s', async () => {
    const log: string[] = []
    const product = await createTestApp({ KARVON_LOG: 'info' }, {}, { write: (line) => void log.push(line) })
    close = () => product.close()
    const { clock } = product.deps
    const { rows } = await product.deps.pool.query<{ now: number }>(
      'select extract(epoch from now())::float8 * 1000 as now',
    )
    const database = rows[0]?.now ?? 0
    const startedAt = performance.now()
    vi.useFakeTimers({ toFake: ['Date'], now: database })
    await clock.measure()
    log.splice(0)
    const after = async (seconds: number) => {
      // The faked clock stands still, and that of the database does not.
      const elapsed = performance.now() - startedAt
      vi.useFakeTimers({ toFake: ['Date'], now: database + elapsed + seconds * 1000 })
      await clock.measure()
      const readiness = () => callApi(product.app, null, 'GET', '/readyz')
      // A busy machine may need longer than the time limit of a probe.
      await expect.poll(async () => (await readiness()).statusCode).toBe(200)
      return (await readiness()).json<{ clock_seconds_ahead: number }>().clock_seconds_ahead
    }
    expect(Math.abs(await after(20))).toBeLessThan(30)
    expect(log).toEqual([])
    expect(Math.abs((await after(180)) - 180)).toBeLessThan(10)
    await after(185)
    expect(Math.abs((await after(-180)) + 180)).toBeLessThan(10)
    await after(0)
    await after(0)
    const lines = log.map((line) => JSON.parse(line) as { level: number; msg: string })
    expect(lines.map(({ level, msg }) => [level, msg.replace(/\d+/, 'n')])).toEqual([
      [40, 'The clock of this process is n s ahead of the database’s: set both by NTP'],
      [40, 'The clock of this process is n s behind the database’s: set both by NTP'],
      [30, 'The clock of this process agrees with the database’s again'],
    ])
  })
})
