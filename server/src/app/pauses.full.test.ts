import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { day, hour, minute, now } from '../../test/moment.ts'
import { passTime } from '../../test/pass-time.ts'
import { createPausedFixture, publishParcel, type PausedFixture } from '../../test/paused.fixture.ts'
import { countRollupDifferences, noDifferences } from '../../test/recount.ts'
import { formatNotice, type NoticeParams } from '../domains/notices/notices.texts.ts'

let fixture: PausedFixture

const before = (milliseconds: number) => new Date(now() - milliseconds).toISOString()
const columnOf = async (externalId: string) => {
  const text = `select t.code from leads l join statuses s on s.id = l.status_id
    join status_types t on t.id = s.type_id where l.external_id = $1`
  return (await fixture.query<{ code: string }>(text, [externalId]))[0]?.code
}
/** The queued notices, without the digest. */
const listParcelNotices = async () =>
  (
    await fixture.query<{ message: string; params: NoticeParams }>(
      `select message, params from notices where kind <> 'digest'`,
    )
  )
    .map(({ message, params }) => formatNotice(message, params, 'ru'))
    .toSorted((a, b) => a.localeCompare(b))

describe.each([
  ['a pause of an hour', hour],
  ['a pause of a day', day],
  ['a pause of a week', 7 * day],
  ['a pause of a month', 31 * day],
  ['a clock that was set back by an hour', -hour],
  ['a clock that was set back by a day', -day],
])('after %s', (_, length) => {
  beforeAll(async () => {
    fixture = await createPausedFixture()
    await fixture.runAfterAbort('clock-set-back')
    await passTime(fixture.product.deps.pool, length)
    await fixture.runAfterAbort('clock-set-back')
  })
  afterAll(() => fixture.close())
  /** Ends waits and leases, so that the test does not wait for them. A pause does so by itself. */
  const catchUp = async (table: string) => {
    if (length > 0) return
    const text = `update ${table} set next_at = now() where next_at between now() and now() + interval '2 minutes'`
    await fixture.query(text)
    await fixture.query(`update ${table} set leased_until = now() - interval '1 s'
      where leased_until between now() and now() + interval '3 minutes'`)
  }

  test('the job late-leads gives a lead the outcome of the parcel that it arrived after', async () => {
    await fixture.runAfterAbort('late-leads')
    expect(await columnOf('late')).toBe('sold')
  })

  test('the job lead-remaps applies an earlier mapping to its leads', async () => {
    await fixture.runAfterAbort('lead-remaps')
    expect(await columnOf('mapped')).toBe('sold')
  })

  test('the job fold-lead-deltas folds the deltas into the totals', async () => {
    const pool = fixture.product.deps.pool
    expect((await fixture.query('select from lead_deltas')).length).toBeGreaterThan(0)
    await fixture.runAfterAbort('fold-lead-deltas')
    expect(await fixture.query('select from lead_deltas')).toEqual([])
    expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  })

  test('the job outgoing-postbacks sends every change to the tracker in order', async () => {
    await catchUp('outgoing_postbacks')
    // The answer to the killed process was lost, so its postback is sent again.
    await fixture.runAfterAbort('outgoing-postbacks')
    expect(fixture.tracker.requests.map(({ params }) => params['s'])).toEqual(['send', 'hold', 'sold'])
  })

  test('the job uploads sends each file to Telegram once, and marks one that may have arrived twice', async () => {
    await catchUp('uploads')
    await fixture.runAfterAbort('uploads')
    expect(fixture.telegram.sent.map(({ name }) => name).toSorted()).toEqual(['broken.pdf', 'killed.pdf'])
    expect(await fixture.query('select name, status, unsure from uploads order by name')).toEqual([
      { name: 'broken.pdf', status: 'sent', unsure: false },
      { name: 'killed.pdf', status: 'sent', unsure: true },
    ])
  })

  test('a courier sync stores the statuses, and the person gets the notices that they missed', async () => {
    const missedTime = Math.max(length, 2 * hour)
    publishParcel(fixture.courier, 'P-1', [{ code: 'COMPLETE', at: before(missedTime - minute) }])
    publishParcel(fixture.courier, 'P-2', [{ code: 'LOST', at: before(missedTime / 2) }])
    publishParcel(fixture.courier, 'P-3', [{ code: 'COMPLETE', at: before(minute) }])
    publishParcel(fixture.courier, 'P-old', [{ code: 'COMPLETE', at: before(missedTime + 3 * day) }])
    // A clock that was set back leaves at most five minutes until the next run.
    if (length < 0)
      await fixture.query(
        `update sync_states set next_run_at = now() where next_run_at < now() + interval '6 minutes'`,
      )
    await fixture.syncCourier()
    const storedParcels = await fixture.query(
      'select orderno from parcels where owner_id = $1 order by orderno',
      [fixture.azizId],
    )
    expect(storedParcels.map(({ orderno }) => orderno)).toEqual(['P-1', 'P-2', 'P-3', 'P-old'])
    expect(await listParcelNotices()).toEqual([
      'Посылка P-1 доставлена',
      'Посылка P-2 требует внимания: Утрачен/утерян',
      'Посылка P-3 доставлена',
    ])
  })

  test('the job reset-mails sends a requested link, unless the request is older than a day', async () => {
    await fixture.runAfterAbort('reset-mails')
    const inTime = length <= hour
    expect(fixture.smtp.accepted).toHaveLength(inTime ? 1 : 0)
    if (inTime) return
    await fixture.query(`insert into reset_requests (email) select email from users where id = $1`, [
      fixture.azizId,
    ])
    await fixture.runAfterAbort('reset-mails')
    expect(fixture.smtp.accepted).toHaveLength(1)
  })

  test('an idempotency key is kept for a day', async () => {
    await fixture.runAfterAbort('idempotency_keys-retention')
    expect(await fixture.sendKeyedRequest()).toBe(length < day)
  })

  test('a session is valid until its idle limit', async () => {
    await fixture.product.deps.identities.invalidate()
    const answer = await callApi(fixture.product.app, fixture.aziz, 'GET', '/parcel/auth/me')
    expect(answer.statusCode).toBe(length < 7 * day ? 200 : 401)
  })

  test('the wait after too many wrong passwords does not grow during a pause', async () => {
    const rows = await fixture.query<{ seconds: number }>(
      'select extract(epoch from blocked_until - now())::float8 as seconds from sign_in_failures where key = $1',
      ['account:guessed'],
    )
    expect(rows[0]?.seconds).toBeLessThan(330)
  })
})
