import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { ensureConnectors } from '../connectors/connectors.start.ts'

const fixture = await createAlertFixture()
const { product, people, query, source, evaluate, evaluateAt, ago, createRule } = fixture
const { switchOn, sendNotices, readInbox } = fixture
const admin = people.admin.session
afterAll(fixture.close)
beforeEach(async () => {
  await fixture.resetAlerts()
  await query('delete from lead_deltas')
  await query(`update users set language = 'en' where id = $1`, [people.admin.id])
})

const day = 24 * 60
const insert = async (text: string, values: unknown[]): Promise<number> =>
  Number((await query(`insert into ${text} returning id`, values))[0]?.id)
/** Figures of each of these days, `firstAge` to `lastAge` days before today, as the triggers of leads write them. */
const plant = (
  stream: number,
  { firstAge, lastAge, accepted, cancel }: Record<'firstAge' | 'lastAge' | 'accepted' | 'cancel', number>,
) =>
  query(
    `insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold, returned,
       hold, profit, hold_amount)
     select current_date - n, $1, 0, $2, $5::integer + $6::integer, $5, $6, 0, 0, 0, 0, 0, 0, 0
     from generate_series($4::integer, $3::integer) n`,
    [source, stream, firstAge, lastAge, accepted, cancel],
  )
/** Evaluates all rules `days` after now, as if there were no pause before. Answers the numbers of begins and ends. */
const evaluateIn = async (days: number) => {
  await query(`update alert_rules set next_at = '-infinity'`)
  const { startedIds, endedIds } = await evaluate(ago(-days * day))
  return [startedIds.length, endedIds.length]
}
const readLines = async () =>
  (await sendNotices()).flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('•')))
const rate = {
  kind: 'metric',
  name: 'Rate',
  metric: 'approve_rate',
  period: 'today',
  condition: 'below',
  against: 'value',
  threshold: 50,
}

describe('An incident without data', () => {
  test('the alert about a stream that gets no leads any more ends after a week without a rate, and says why', async () => {
    const stream = await insert('streams (name, source_id) values ($1, $2)', ['Idle', source])
    await plant(stream, { firstAge: 40, lastAge: 4, accepted: 60, cancel: 40 })
    await plant(stream, { firstAge: 0, lastAge: 0, accepted: 10, cancel: 90 })
    await switchOn('approve_drop')
    expect(await evaluateIn(0)).toEqual([1, 0])
    expect(await readLines()).toEqual(['• Stream Idle: approve rate 10%, in the four weeks before 60%'])
    for (const days of [3, 4, 7, 10.9]) expect(await evaluateIn(days), String(days)).toEqual([0, 0])
    expect((await readInbox(admin)).items).toMatchObject([{ ended_at: null, ended_without_data: false }])
    expect(await evaluateIn(11)).toEqual([0, 1])
    expect(await readLines()).toEqual(['• Idle: no data to compare for 7 days'])
    expect((await readInbox(admin)).items).toMatchObject([
      { ended_at: expect.any(String) as string, ended_without_data: true },
    ])
    expect(await evaluateIn(12)).toEqual([0, 0])
  })

  test('a stream with a few leads a day, too few for a rate, does not keep its alert either', async () => {
    const stream = await insert('streams (name, source_id) values ($1, $2)', ['Slow', source])
    await plant(stream, { firstAge: 40, lastAge: 4, accepted: 60, cancel: 40 })
    await plant(stream, { firstAge: 0, lastAge: 0, accepted: 10, cancel: 90 })
    await plant(stream, { firstAge: -1, lastAge: -40, accepted: 0, cancel: 2 })
    await switchOn('approve_drop')
    expect(await evaluateIn(0)).toEqual([1, 0])
    expect(await evaluateIn(5)).toEqual([0, 0])
    expect(await evaluateIn(12.1)).toEqual([0, 1])
  })

  test('a rate without leads keeps its alert for a week, and the week starts again with each value', async () => {
    await plant(0, { firstAge: 0, lastAge: 0, accepted: 1, cancel: 9 })
    await createRule(admin, { ...rate, source_ids: [source] })
    expect(await evaluateIn(0)).toEqual([1, 0])
    await sendNotices()
    for (const days of [1, 6]) expect(await evaluateIn(days)).toEqual([0, 0])
    await plant(0, { firstAge: -7, lastAge: -7, accepted: 1, cancel: 9 })
    for (const days of [7, 8, 14]) expect(await evaluateIn(days)).toEqual([0, 0])
    expect(await evaluateIn(15)).toEqual([0, 1])
    expect(await readLines()).toEqual(['• Rate: no data to compare for 7 days'])
  })

  test('a value that recovers after days without leads is reported as recovered', async () => {
    await plant(0, { firstAge: 0, lastAge: 0, accepted: 1, cancel: 9 })
    await createRule(admin, { ...rate, source_ids: [source] })
    expect(await evaluateIn(0)).toEqual([1, 0])
    await sendNotices()
    expect(await evaluateIn(1)).toEqual([0, 0])
    await plant(0, { firstAge: -7, lastAge: -7, accepted: 9, cancel: 1 })
    expect(await evaluateIn(7)).toEqual([0, 1])
    expect(await readLines()).toEqual(['• Rate: the figure is within its bound again'])
    expect((await readInbox(admin)).items).toMatchObject([{ ended_without_data: false }])
  })

  test('a rule whose history has only zeros, because the leads stopped, does not stay open for ever', async () => {
    const { id } = await createRule(admin, {
      ...rate,
      name: 'Leads',
      metric: 'leads',
      against: 'history',
      source_ids: [source],
    })
    await plant(0, { firstAge: 0, lastAge: 0, accepted: 1, cancel: 0 })
    const plantHistory = (value: number) =>
      query(
        `insert into alert_samples (rule_id, hour, value)
         select $1, date_trunc('hour', now()) - make_interval(days => n), $2 from generate_series(-28, 28) n
         on conflict (rule_id, hour) do update set value = $2`,
        [id, value],
      )
    const evaluateHour = async (days: number) => {
      await query(`update alert_rules set next_at = '-infinity'`)
      const { startedIds, endedIds } = await evaluate(fixture.inHour(days * day))
      return [startedIds.length, endedIds.length]
    }
    await plantHistory(100)
    expect(await evaluateHour(0)).toEqual([1, 0])
    await plantHistory(0)
    for (const days of [1, 7]) expect(await evaluateHour(days)).toEqual([0, 0])
    expect(await evaluateHour(8)).toEqual([0, 1])
  })

  test('the days of a pause of the product do not count as days without data', async () => {
    await plant(0, { firstAge: 0, lastAge: 0, accepted: 1, cancel: 9 })
    await createRule(admin, { ...rate, source_ids: [source] })
    expect(await evaluateIn(0)).toEqual([1, 0])
    expect(await evaluateIn(1)).toEqual([0, 0])
    await query(`update alert_rules set next_at = '-infinity'`)
    expect(await evaluateAt(ago(-9 * day))).toMatchObject({ endedIds: [] })
    expect(await evaluateIn(15.9)).toEqual([0, 0])
    expect(await evaluateIn(16)).toEqual([0, 1])
  })

  test('a network that does not report its balance any more has not settled its difference', async () => {
    await ensureConnectors(product.deps.db)
    const other = await insert('cpa_sources (name, url) values ($1, $2)', ['Other', 'https://other.example'])
    await query(`insert into cpa_websites (name, cpa_source_id, connector) values ('W', $1, '100k')`, [other])
    const credential = await insert('source_credentials (name, user_id, source_id) values ($1, $2, $3)', [
      'Account',
      people.vali.id,
      other,
    ])
    await query(
      `insert into sync_states (source_credential_id, balance, hold) values ($1, 2000000, 0)
       on conflict (source_credential_id) do update set balance = 2000000, hold = 0`,
      [credential],
    )
    const setBalance = (balance: number | null) =>
      query('update sync_states set balance = $1 where source_credential_id = $2', [balance, credential])
    await switchOn('money_difference')
    expect(await evaluateIn(0)).toEqual([1, 0])
    await sendNotices()
    await setBalance(null)
    expect(await evaluateIn(1)).toEqual([0, 0])
    expect(await readLines()).toEqual([])
    await setBalance(0)
    expect(await evaluateIn(2)).toEqual([0, 1])
    expect(await readLines()).toEqual(['• Account Account: the difference is within its bound again'])
  })
})
