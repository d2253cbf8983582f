import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/app.ts'
import { day, hour, minute, now } from '../../test/moment.ts'
import { passTime } from '../../test/pause.ts'
import { openPausedDesk, tellParcel, type PausedDesk } from '../../test/paused-desk.ts'
import { countRollupDifferences, noDifferences } from '../../test/recount.ts'

let desk: PausedDesk

const before = (milliseconds: number) => new Date(now() - milliseconds).toISOString()
const columnOf = async (externalId: string) => {
  const text = `select t.code from leads l join statuses s on s.id = l.status_id
    join status_types t on t.id = s.type_id where l.external_id = $1`
  return (await desk.query<{ code: string }>(text, [externalId]))[0]?.code
}
/** What the person was told in the chat, less the digest. */
const parcelsTold = async () =>
  (await desk.query<{ text: string }>(`select text from notices where kind <> 'digest' order by text`)).map(
    ({ text }) => text,
  )

describe.each([
  ['a pause of an hour', hour],
  ['a pause of a day', day],
  ['a pause of a week', 7 * day],
  ['a pause of a month', 31 * day],
  ['a clock that was set back by an hour', -hour],
  ['a clock that was set back by a day', -day],
])('after %s', (_, length) => {
  beforeAll(async () => {
    desk = await openPausedDesk()
    await desk.run('clock-set-back')
    await passTime(desk.product.deps.pool, length)
    await desk.run('clock-set-back')
  })
  afterAll(() => desk.close())
  /** Rather than wait until times between attempts and leases are over, which a pause does by itself. */
  const catchUp = async (table: string) => {
    if (length > 0) return
    const text = `update ${table} set next_at = now() where next_at between now() and now() + interval '2 minutes'`
    await desk.query(text)
    await desk.query(`update ${table} set leased_until = now() - interval '1 s'
      where leased_until between now() and now() + interval '3 minutes'`)
  }

  test('a lead that came after the outcome of its parcel is settled', async () => {
    await desk.run('late-leads')
    expect(await columnOf('late')).toBe('sold')
  })

  test('leads whose word was mapped before follow it', async () => {
    await desk.run('lead-remaps')
    expect(await columnOf('mapped')).toBe('sold')
  })

  test('deltas are folded into the totals', async () => {
    const pool = desk.product.deps.pool
    expect((await desk.query('select from lead_deltas')).length).toBeGreaterThan(0)
    await desk.run('fold-lead-deltas')
    expect(await desk.query('select from lead_deltas')).toEqual([])
    expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  })

  test('a tracker is told of every change, in their order', async () => {
    await catchUp('outgoing_postbacks')
    // The answer that was on its way to one that died was lost: what it sent is sent once more.
    await desk.run('outgoing-postbacks')
    expect(desk.tracker.requests.map(({ params }) => params['s'])).toEqual(['send', 'hold', 'sold'])
  })

  test('files are sent to Telegram, once each, and one that may have come twice says so', async () => {
    await catchUp('uploads')
    await desk.run('uploads')
    expect(desk.telegram.sent.map(({ name }) => name).toSorted()).toEqual(['broken.pdf', 'killed.pdf'])
    expect(await desk.query('select name, status, unsure from uploads order by name')).toEqual([
      { name: 'broken.pdf', status: 'sent', unsure: false },
      { name: 'killed.pdf', status: 'sent', unsure: true },
    ])
  })

  test('the courier’s statuses are stored, and the person is told of what they missed', async () => {
    const missed = Math.max(length, 2 * hour)
    tellParcel(desk.courier, 'P-1', [{ code: 'COMPLETE', at: before(missed - minute) }])
    tellParcel(desk.courier, 'P-2', [{ code: 'LOST', at: before(missed / 2) }])
    tellParcel(desk.courier, 'P-3', [{ code: 'COMPLETE', at: before(minute) }])
    tellParcel(desk.courier, 'P-old', [{ code: 'COMPLETE', at: before(missed + 3 * day) }])
    // A clock that was set back leaves five minutes to the next run, at the most.
    if (length < 0)
      await desk.query(
        `update sync_states set next_run_at = now() where next_run_at < now() + interval '6 minutes'`,
      )
    await desk.fetchCourier()
    const stored = await desk.query('select orderno from parcels where owner_id = $1 order by orderno', [
      desk.azizId,
    ])
    expect(stored.map(({ orderno }) => orderno)).toEqual(['P-1', 'P-2', 'P-3', 'P-old'])
    expect(await parcelsTold()).toEqual([
      'Посылка P-1 доставлена',
      'Посылка P-2 требует внимания: Утрачен/утерян',
      'Посылка P-3 доставлена',
    ])
  })

  test('a link to a new password is mailed, unless it was asked for more than a day ago', async () => {
    await desk.run('reset-mails')
    const inTime = length <= hour
    expect(desk.smtp.accepted).toHaveLength(inTime ? 1 : 0)
    if (inTime) return
    await desk.query(`insert into reset_requests (email) select email from users where id = $1`, [
      desk.azizId,
    ])
    await desk.run('reset-mails')
    expect(desk.smtp.accepted).toHaveLength(1)
  })

  test('a request is known as a repeat for a day', async () => {
    await desk.run('idempotency_keys-retention')
    expect(await desk.keyed()).toBe(length < day)
  })

  test('a session is good for as long as it may be idle', async () => {
    await desk.product.deps.identities.invalidate()
    const answer = await ask(desk.product.app, desk.aziz, 'GET', '/parcel/auth/me')
    expect(answer.statusCode).toBe(length < 7 * day ? 200 : 401)
  })

  test('who had guessed a password too often waits no longer than before', async () => {
    const rows = await desk.query<{ seconds: number }>(
      'select extract(epoch from blocked_until - now())::float8 as seconds from sign_in_failures where key = $1',
      ['account:guessed'],
    )
    expect(rows[0]?.seconds).toBeLessThan(330)
  })
})
