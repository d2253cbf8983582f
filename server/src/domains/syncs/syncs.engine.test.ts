import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import pg from 'pg'
import { pino } from 'pino'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { now } from '../../../test/moment.ts'
import { createSyncJobs } from './syncs.engine.ts'
import { SyncError, type SyncKind, type SyncRunContext } from './syncs.kind.ts'
import { requestRun } from './syncs.lease.queries.ts'

let intake: LeadDatabase
let account: number

beforeEach(async () => {
  intake = await openLeadDatabase()
  const source_id = await intake.newSource()
  const [{ userId: user_id } = { userId: 0 }] = await intake.newBuyers(source_id, 1)
  const { rows } = await intake.pool.query<{ id: number }>(
    `insert into source_credentials (name, user_id, source_id) values ('A', $1, $2) returning id`,
    [user_id, source_id],
  )
  account = rows[0]?.id ?? 0
})

afterEach(() => intake.close())

const quiet = new AbortController().signal

const createKind = (over: Partial<SyncKind> = {}): SyncKind => ({
  column: 'source_credential_id',
  interval: 60_000,
  dailyRequests: 100,
  isExclusive: false,
  activeAccounts: sql`select ${account}::bigint as id`,
  findActiveAccounts: async () => [account],
  run: async () => {},
  ...over,
})
const createJobs = (kinds: readonly SyncKind[]) =>
  createSyncJobs({ db: intake.db, log: pino({ level: 'silent' }), metrics: new Registry() }, kinds)

/** Runs the job once, like a process. Answers true if an account was due. */
async function runJob(
  run: (run: SyncRunContext) => Promise<void>,
  over: Partial<SyncKind> = {},
  signal = quiet,
) {
  const [job] = createJobs([createKind({ run: (_, context) => run(context), ...over })])
  return (await job?.run(signal))?.hasMore === true
}

const state = () => intake.db.selectFrom('sync_states').selectAll().executeTakeFirstOrThrow()
const runs = () => intake.db.selectFrom('sync_runs').selectAll().orderBy('id').execute()
const makeDue = () => sql`update sync_states set next_run_at = now(), paused_until = null`.execute(intake.db)
const secondsTo = (time: string | null) => (Date.parse(time ?? '') - now()) / 1000

const fail = (error: Error) => async () => {
  throw error
}
const wait = { seconds: 45 }
const useUpRequests = fail(new SyncError('budget', describeSync('sync_requests_used', { max: 1 })))
const askToWait = fail(new SyncError('rate_limited', describeSync('network_wait', wait), wait))

describe('Due accounts', () => {
  test('a due account is synced at once, then at its interval, and at once when a person asks', async () => {
    expect(
      await runJob((run) => run.addCounts({ rows: 2 }).then(() => run.addCounts({ rows: 1, created: 3 }))),
    ).toBe(true)
    expect(await runs()).toMatchObject([{ status: 'done', counts: { rows: 3, created: 3 }, error: null }])
    expect(secondsTo((await state()).next_run_at)).toBeGreaterThan(50)
    expect(await runJob(async () => {})).toBe(false)
    expect(await requestSourceRun()).toMatchObject({ running: false })
    expect(await runJob(async () => {})).toBe(true)
    expect(await runs()).toHaveLength(2)
  })

  test('one of several processes syncs a due account', async () => {
    let at = 0
    let maxRuns = 0
    const run = async () => {
      at += 1
      maxRuns = Math.max(maxRuns, at)
      await new Promise((resolve) => setTimeout(resolve, 100))
      at -= 1
    }
    const results = await Promise.all([1, 2, 3, 4].map(() => runJob(run)))
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(maxRuns).toBe(1)
  })

  test.each([
    ['is due at once after a run that ends well', async () => {}, true],
    ['is due at once after a run that ends in a pause', useUpRequests, true],
    ['waits after a run that is asked to wait', askToWait, false],
  ])('an account requested during a run %s', async (_, end, isDue) => {
    await runJob(async () => {
      expect(await requestSourceRun()).toMatchObject({ running: true })
      await end()
    })
    expect(await runJob(async () => {})).toBe(isDue)
  })

  test('an inactive account is not synced', async () => {
    await runJob(async () => {})
    await makeDue()
    expect(await runJob(async () => {}, { findActiveAccounts: async () => [] })).toBe(false)
  })
})

describe('Accounts that wait for others', () => {
  test('one of the runs of a process is for accounts whose last run did not fail', async () => {
    const failing = createKind({
      run: fail(new SyncError('failed', describeSync('network_status', { status: 500 }))),
    })
    const jobs = createJobs([failing])
    const last = jobs.at(-1)
    expect(await last?.run(quiet)).toEqual({ hasMore: true })
    await makeDue()
    expect(await last?.run(quiet)).toBeUndefined()
    expect(await jobs[0]?.run(quiet)).toEqual({ hasMore: true })
    expect(await runs()).toHaveLength(2)
  })

  test('accounts of each kind are looked for first in turns', async () => {
    const order: string[] = []
    const kinds = ['network', 'courier'].map((name) =>
      createKind({
        findActiveAccounts: async () => {
          order.push(name)
          return []
        },
      }),
    )
    const [job] = createJobs(kinds)
    await job?.run(quiet)
    await job?.run(quiet)
    expect(order.slice(0, 2)).toEqual(order.slice(2).toReversed())
  })

  test('a run of some minutes is asked to pause while another account is due', async () => {
    const [now, answers]: [() => number, boolean[]] = [performance.now.bind(performance), []]
    const clock = vi.spyOn(performance, 'now')
    const other = (
      await sql<{ id: number }>`insert into source_credentials (name, user_id, source_id)
        select 'B', user_id, source_id from source_credentials returning id`.execute(intake.db)
    ).rows[0]?.id
    await runJob(
      async (run) => {
        answers.push(await run.shouldPause())
        clock.mockImplementation(() => now() + 6 * 60_000)
        answers.push(await run.shouldPause())
        await sql`update sync_states set next_run_at = now() + interval '1 hour' where source_credential_id = ${other}`.execute(
          intake.db,
        )
        answers.push(await run.shouldPause())
        clock.mockRestore()
      },
      { findActiveAccounts: async () => [account, Number(other)] },
    )
    expect(answers).toEqual([false, true, false])
  })
})

const requestSourceRun = async () => {
  const { id: person } = await intake.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  return requestRun(intake.db, { column: 'source_credential_id', account, person })
}

describe('Failed runs', () => {
  test('five failures in a row pause an account for 15 minutes, later ones longer, and a success resets them', async () => {
    const failRun = fail(new SyncError('failed', describeSync('network_status', { status: 500 })))
    const pauses: number[] = []
    for (let i = 0; i < 6; i++) {
      await makeDue()
      await runJob(failRun)
      const { paused_until } = await state()
      pauses.push(paused_until === null ? 0 : Math.round(secondsTo(paused_until) / 60))
    }
    expect(pauses).toEqual([0, 0, 0, 0, 15, 30])
    expect((await state()).pause_reason).toBe('6 failures in a row, the last: The network answered 500.')
    expect(await runJob(async () => {})).toBe(false)
    await makeDue()
    await runJob(async () => {})
    expect(await state()).toMatchObject({ failures: 0, paused_until: null, pause_reason: null })
  })

  test('a run that is asked to wait pauses for that time, without a failure', async () => {
    const startedAt = now()
    await runJob(askToWait)
    const { failures, paused_until } = await state()
    expect([failures, secondsTo(paused_until) < 45.5]).toEqual([0, true])
    expect(Date.parse(paused_until ?? '') - startedAt).toBeGreaterThan(44_500)
    expect(await runJob(async () => {})).toBe(false)
  })

  test("a run with an internal error does not show the error's text", async () => {
    await runJob(fail(new Error('password=secret')))
    expect(await runs()).toMatchObject([{ status: 'failed', error: describeSync('sync_unexpected').message }])
  })

  test('a run that fails in one part continues with the others', async () => {
    const doneParts: string[] = []
    const answerFault = describeSync('answer_malformed', { format: 'JSON' })
    const reasons = [{ part: 'offers', ...answerFault }]
    await runJob(async (run) => {
      await run.runPart('offers', fail(new SyncError('failed', answerFault)))
      await run.runPart('orders', async () => void doneParts.push('orders'))
    })
    expect(doneParts).toEqual(['orders'])
    expect(await runs()).toMatchObject([
      { status: 'partial', error: `offers: ${answerFault.message}`, reasons },
    ])
    expect(await state()).toMatchObject({ failures: 0 })
  })

  test('a run that fails at the sign-in ends', async () => {
    let isContinued = false
    const signInFault = describeSync('sign_in_refused', { status: 401 })
    await runJob(async (run) => {
      await run.runPart('offers', fail(new SyncError('sign_in', signInFault)))
      isContinued = true
    })
    expect(isContinued).toBe(false)
    expect(await runs()).toMatchObject([{ status: 'failed', error: signInFault.message }])
  })
})

describe('Interrupted runs', () => {
  test('a killed run is marked as interrupted, and the next run continues its progress', async () => {
    await runJob(async (run) => {
      await run.saveProgress({ page: 7 })
      // The state after a kill: an unfinished run, and a lease that expires.
      await sql`update sync_states set leased_until = now() - interval '1 second'`.execute(intake.db)
      const received: unknown[] = []
      await runJob(async (next) => void received.push(next.progress))
      expect(received).toEqual([{ page: 7 }])
      await expect(run.countRequest()).rejects.toThrow('Interrupted')
    })
    expect(await runs()).toMatchObject([{ reasons: [{ code: 'sync_interrupted' }] }, { status: 'done' }])
    expect((await state()).progress).toBeNull()
  })

  test.each([
    ['changed', sql`update source_credentials set updated_at = now()`],
    ['deactivated', sql`update users set is_active = false`],
  ])('a run whose account is %s stores nothing more and is no failure', async (_, change) => {
    const activeAccounts = sql<{ id: number }>`
      select c.id from source_credentials c join users u on u.id = c.user_id and u.is_active`
    const interrupt = async (run: SyncRunContext) => {
      await run.saveProgress({ page: 7 })
      await change.execute(intake.db)
      await expect(run.store((trx) => trx.deleteFrom('leads').execute())).rejects.toThrow('was changed')
      await run.countRequest()
    }
    await runJob(interrupt, { activeAccounts })
    expect(await runs()).toMatchObject([{ error: 'The account was changed or deactivated during the run.' }])
    expect(await state()).toMatchObject({ failures: 0, progress: null, leased_by: null })
  })

  test('a run stopped with its process is due again at once, without a failure', async () => {
    const stopping = new AbortController()
    const stop = async (run: SyncRunContext) => {
      await run.saveProgress({ page: 3 })
      stopping.abort()
      await run.countRequest()
    }
    await runJob(stop, {}, stopping.signal)
    expect(await state()).toMatchObject({ failures: 0, progress: { page: 3 }, leased_by: null })
    expect(await runJob(async () => {})).toBe(true)
  })
})

test('a run whose rows the database cannot store is repeated after a pause, without a failure of the account', async () => {
  const error = Object.assign(new pg.DatabaseError('out of memory', 0, 'error'), { code: '53200' })
  await runJob(fail(error))
  expect(await state()).toMatchObject({ failures: 0, leased_by: null })
  expect(await runJob(async () => {})).toBe(false)
  // The clock of the database may be ahead of this process.
  expect(secondsTo((await state()).next_run_at)).toBeLessThan(11)
  await makeDue()
  expect(await runJob(async () => {})).toBe(true)
})

test('an account makes at most its daily number of requests, and continues the next day', async () => {
  let calls = 0
  const countRequests = async (run: SyncRunContext) => {
    for (; ; calls += 1) await run.countRequest()
  }
  await runJob(countRequests, { dailyRequests: 5 })
  expect(calls).toBe(5)
  expect(await runs()).toMatchObject([{ error: 'The 5 requests of the day are used up.' }])
  const { paused_until } = await state()
  expect(secondsTo(paused_until)).toBeLessThanOrEqual(24 * 3600)
  await sql`update sync_states set requests_day = current_date - 1`.execute(intake.db)
  await makeDue()
  await runJob(countRequests, { dailyRequests: 5 })
  expect(calls).toBe(10)
})
