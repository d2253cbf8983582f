import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { createSample } from '../../../test/sample.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { buildLead } from '../../../test/lead-database.ts'

const fixture = await createAlertFixture()
const { product, people, query, source, evaluate, arrive, ago, switchOn, readInbox } = fixture
const { app, deps } = product
const admin = people.admin.session
const seededRules = await query(
  'select kind, is_active from alert_rules where owner_id is null order by kind',
)
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

/** The open alerts of the admin: subject, value and what is usual. */
const listOpen = async () =>
  (await readInbox(admin)).items
    .filter(({ ended_at }) => ended_at === null)
    .map(({ rule, subject, value, base }) => [rule.kind, subject.kind, subject.name, value, base])
const newSource = async () => (await createSample(app, admin, cpaSources, { is_active: true })).id

test('a new installation has one built-in rule of each kind, all of them on', () => {
  const kinds = [
    'approve_drop',
    'money_difference',
    'postbacks_refused',
    'source_silent',
    'sync_failing',
    'unmapped_statuses',
  ]
  expect(seededRules).toEqual(kinds.map((kind) => ({ kind, is_active: true })))
})

describe('Arrivals of leads', () => {
  test('a new lead of today counts as an arrival once, and an old or a repeated one does not', async () => {
    const from = await newSource()
    const lead = (id: string, minutes: number) =>
      buildLead(id, { created_at: ago(minutes), stream: 'Arrivals' })
    const leads = [lead('new-1', 5), lead('new-2', 60), lead('old', 3000)]
    for (let n = 0; n < 2; n += 1) await ingestLeads(deps.db, { sourceId: from, leads, origin: 'file' })
    await evaluate()
    expect(await query('select leads from source_hours where source_id = $1', [from])).toEqual([{ leads: 2 }])
    expect(
      await query(
        'select s.name from stream_arrivals a join streams s on s.id = a.stream_id where a.source_id = $1',
        [from],
      ),
    ).toEqual([{ name: 'Arrivals' }])
    expect(await query('select from lead_arrivals')).toEqual([])
  })
})

describe('A silent source', () => {
  /** Three weeks of leads, six an hour, until `minutes` before now. */
  async function plantWeeks(from: number, minutes: number, perHour = 6): Promise<void> {
    await query(
      `insert into lead_arrivals (at, source_id, offer_id, stream_id, leads)
       select at, $1, 0, 0, $3 from generate_series($2::timestamptz - interval '21 days', $2, interval '1 hour') at`,
      [from, ago(minutes), perHour],
    )
  }

  test('a source that is silent for the usual time of ten leads is found, and one more lead ends the incident', async () => {
    const from = await newSource()
    await plantWeeks(from, 90)
    await switchOn('source_silent')
    expect((await evaluate(ago(1))).startedIds).toEqual([])
    expect((await evaluate(ago(-75))).startedIds).toHaveLength(1)
    const [[kind, subject, , value, base] = []] = await listOpen()
    expect([kind, subject, value]).toEqual(['source_silent', 'source', 165])
    expect(Number(base)).toBeGreaterThanOrEqual(10)
    await arrive(ago(-76), { from })
    expect((await evaluate(ago(-76))).endedIds).toHaveLength(1)
  })

  test('a silent source is found by hours of another time zone, which begin at another minute', async () => {
    const from = await newSource()
    await plantWeeks(from, 180)
    expect((await evaluate(ago(170))).startedIds).toEqual([])
    await query(`update source_hours set hour = hour + interval '15 minutes' where source_id = $1`, [from])
    await switchOn('source_silent')
    expect((await evaluate()).startedIds).toHaveLength(1)
  })

  test('a new source, a slow source and an inactive source are not found', async () => {
    const [young, slow, inactive] = [await newSource(), await newSource(), await newSource()]
    await query('update cpa_sources set is_active = false where id = $1', [inactive])
    await plantWeeks(slow, 240, 1)
    await plantWeeks(inactive, 600)
    for (let hour = 5; hour < 60; hour += 1) await arrive(ago(hour * 60), { from: young, leads: 20 })
    await switchOn('source_silent')
    await evaluate()
    expect(await listOpen()).toEqual([])
  })

  test('a source that is silent for weeks stays one open alert', async () => {
    const from = await newSource()
    await plantWeeks(from, 60 * 24 * 20)
    await switchOn('source_silent')
    expect((await evaluate()).startedIds).toHaveLength(1)
    expect(await evaluate(ago(-60 * 24 * 9))).toMatchObject({ startedIds: [], endedIds: [] })
  })

  test('a night without leads is usual for a source that sleeps at night', async () => {
    const from = await newSource()
    // Leads from 12 hours before each moment until 2 hours before it, on each of 21 days and today.
    await query(
      `insert into lead_arrivals (at, source_id, offer_id, stream_id, leads)
       select $2::timestamptz - make_interval(days => d, hours => h), $1, 0, 0, 20
       from generate_series(0, 21) d, generate_series(4, 12) h`,
      [from, ago(0)],
    )
    await switchOn('source_silent')
    await evaluate()
    expect(await listOpen()).toEqual([])
  })
})

describe('Failing accounts', () => {
  test('an active account without a good run for two hours is found until it has one', async () => {
    const account = async (is_active: boolean) =>
      (await createSample(app, admin, courierAccounts, { is_active, user_id: people.admin.id })).id
    const [active, inactive] = [await account(true), await account(false)]
    for (const id of [active, inactive])
      await query('insert into sync_states (courier_account_id, last_success_at) values ($1, $2)', [
        id,
        ago(121),
      ])
    await switchOn('sync_failing')
    await evaluate()
    expect((await listOpen()).map(([kind, subject, , value]) => [kind, subject, value])).toEqual([
      ['sync_failing', 'courier', 121],
    ])
    await query('update sync_states set last_success_at = $1', [ago(0)])
    expect((await evaluate()).endedIds).toHaveLength(1)
    await query(`update sync_states set failures = 5, paused_until = now() + interval '1 hour'`)
    expect((await evaluate()).startedIds).toHaveLength(1)
    // The next run after the pause, until it ends.
    await query(`update sync_states set paused_until = null, leased_until = now() + interval '1 minute'`)
    expect((await evaluate()).endedIds).toEqual([])
    await query('update sync_states set failures = 0, leased_until = null')
    expect((await evaluate()).endedIds).toHaveLength(1)
    await query('delete from sync_states')
  })
})

describe('Unmapped statuses', () => {
  test('a source with unmapped statuses is found with their number until they are mapped', async () => {
    const from = await newSource()
    const words = ['новое слово', 'Новое слово', 'другое']
    const leads = words.map((word, n) => buildLead(`u-${n}`, { source_status: word }))
    await ingestLeads(deps.db, { sourceId: from, leads, origin: 'file' })
    await switchOn('unmapped_statuses')
    await evaluate()
    expect((await listOpen()).filter(([, , , value]) => value === 2)).toHaveLength(1)
    await query('update leads set status_id = (select min(id) from statuses) where status_id is null')
    await evaluate()
    expect(await listOpen()).toEqual([])
  })
})

describe('Refused postbacks', () => {
  test('a template with five postbacks that were refused in an hour is found until the hour is over', async () => {
    const { id } = await createSample(app, admin, postbackTemplates, { is_active: true })
    const insert = (n: number, status: string) =>
      query(
        `insert into outgoing_postbacks (template_id, lead_id, source_status, payout, changed_at, status, next_at)
         select $1, (select min(id) from leads), 'sold', 1, now(), $3, $4 from generate_series(1, $2)`,
        [id, n, status, ago(10)],
      )
    await insert(4, 'refused')
    await insert(9, 'sent')
    await switchOn('postbacks_refused')
    await evaluate()
    expect(await listOpen()).toEqual([])
    await insert(1, 'refused')
    await evaluate()
    expect((await listOpen()).map(([kind, subject, , value]) => [kind, subject, value])).toEqual([
      ['postbacks_refused', 'template', 5],
    ])
    expect((await evaluate(ago(-55))).endedIds).toHaveLength(1)
  })
})

describe('Differences of money', () => {
  test('an account whose open differences are above the bound is found', async () => {
    const { id } = await createSample(app, admin, courierAccounts, { is_active: false })
    const [parcel] = await query(
      `insert into parcels (orderno, day, status_code, status_raw, status_title, eventtime)
       values ('Alert-1', current_date, 'DELIVERED', 'x', 'x', now()) returning id`,
    )
    await query(
      `insert into settlement_differences (courier_account_id, parcel_id, orderno, kind, difference)
       values ($1, $2, 'Alert-1', 'missing', -1000000)`,
      [id, parcel?.id],
    )
    await switchOn('money_difference')
    await evaluate()
    expect(await listOpen()).toEqual([])
    await query(`update settlement_differences set difference = -1000000.5`)
    await query(`update alert_rules set next_at = '-infinity'`)
    await evaluate()
    expect((await listOpen()).map(([kind, subject, , value]) => [kind, subject, value])).toEqual([
      ['money_difference', 'courier', 1_000_000.5],
    ])
    await query(`update settlement_differences set status = 'resolved'`)
    expect((await evaluate()).endedIds).toEqual([])
    expect((await evaluate(ago(-11))).endedIds).toHaveLength(1)
  })
})

describe('A falling approve rate', () => {
  async function newStream(name: string): Promise<number> {
    const [row] = await query('insert into streams (name, source_id) values ($1, $2) returning id', [
      name,
      source,
    ])
    return Number(row?.id)
  }
  /** Figures of a day, `days` before today, as the triggers of leads write them. */
  const plantDay = (of: number, days: number, { accepted = 0, cancel = 0, hold = 0 }) =>
    query(
      `insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold, returned,
         hold, profit, hold_amount)
       values (current_date - $2::integer, $1, 0, $3, $4::integer + $5::integer + $6::integer, $4, $5, 0, 0, 0, 0, $6, 0, 0)`,
      [source, days, of, accepted, cancel, hold],
    )

  test('a stream whose rate of decided leads fell by a third is found, and leads without a decision do not lower it', async () => {
    const [stream, fewLeads] = [await newStream('Falling'), await newStream('Few')]
    for (let days = 4; days < 32; days += 1) {
      await plantDay(stream, days, { accepted: 6, cancel: 4 })
      await plantDay(fewLeads, days, { accepted: 6, cancel: 4 })
    }
    await plantDay(fewLeads, 1, { cancel: 29 })
    await plantDay(stream, 1, { accepted: 41, cancel: 59, hold: 500 })
    await switchOn('approve_drop')
    await evaluate()
    expect(await listOpen()).toEqual([])
    await plantDay(stream, 0, { accepted: 19, cancel: 31 })
    await query(`update alert_rules set next_at = '-infinity'`)
    await evaluate()
    expect(await listOpen()).toEqual([['approve_drop', 'stream', 'Falling', 40, 60]])
    await plantDay(stream, 0, { accepted: 100 })
    await query(`update alert_rules set next_at = '-infinity'`)
    expect((await evaluate()).endedIds).toHaveLength(1)
  })

  test('rates are not compared while leads are moved between columns', async () => {
    const stream = await newStream('Moved')
    for (let days = 4; days < 32; days += 1) await plantDay(stream, days, { accepted: 6, cancel: 4 })
    await plantDay(stream, 0, { accepted: 10, cancel: 90 })
    await switchOn('approve_drop')
    await query('insert into status_recounts (status_id) select min(id) from statuses')
    await evaluate()
    expect(await listOpen()).toEqual([])
    await query('delete from status_recounts')
    await evaluate()
    expect(await listOpen()).toEqual([['approve_drop', 'stream', 'Moved', 10, 60]])
  })
})
