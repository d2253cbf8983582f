import type { AlertSnooze } from '@karvon/contract/alerts/inbox.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { callApi } from '../../../test/app.ts'

const fixture = await createAlertFixture()
const { product, people, query, evaluate, arrive, ago, createRule, sendNotices, readInbox } = fixture
const { admin, aziz } = people
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

const call = (method: 'PUT' | 'POST', url: string, body: object, as = admin.session) =>
  callApi(product.app, as, method, url, body)
const mute = (rule: number, muted: boolean) => call('PUT', `/api/alert-rules/${rule}/mute/`, { muted })
/** Snoozes the newest alert of the admin. */
const snooze = async (until: AlertSnooze) => {
  const [alert] = (await readInbox(admin.session)).items
  expect((await call('PUT', `/api/inbox/${alert?.id}/snooze/`, { until })).statusCode).toBe(200)
}
const begin = async () => {
  await query('delete from stream_arrivals')
  await arrive(ago(61))
  await evaluate()
}
const end = async () => {
  await arrive(ago(0))
  await evaluate()
}
const texts = async () =>
  (await sendNotices()).flatMap(({ text }) =>
    text.split('\n').filter((line) => line.startsWith('•') || /^[ТЗ]/.test(line)),
  )
const beginOf = (name: string) => ['Требует внимания', `• ${name}: нет лидов 1 ч 1 мин`]
const endOf = (name: string) => ['Закончилось', `• ${name}: лиды снова приходят`]

test('the end of an alert whose begin was left out of a merged message is not reported', async () => {
  const rules = [
    await createRule(admin.session, { name: 'Sent' }),
    await createRule(admin.session, { name: 'Muted' }),
    await createRule(admin.session, { name: 'Snoozed' }),
  ]
  const [, mutedRule] = rules
  await begin()
  await mute(mutedRule?.id ?? 0, true)
  await snooze('hour')
  expect(await texts()).toEqual(beginOf('Sent'))
  await mute(mutedRule?.id ?? 0, false)
  await snooze('off')
  await end()
  expect(await texts()).toEqual(endOf('Sent'))
})

test('a snooze that is ended or shortened does not go on for the next incident', async () => {
  await createRule(admin.session, { name: 'Feed' })
  await begin()
  expect(await texts()).toEqual(beginOf('Feed'))
  await snooze('week')
  await end()
  await begin()
  expect(await texts()).toEqual([])
  await snooze('off')
  expect((await readInbox(admin.session)).meta.unread).toBe(2)
  await end()
  await begin()
  expect(await texts()).toEqual(beginOf('Feed'))
  await snooze('week')
  await end()
  await begin()
  await snooze('hour')
  await end()
  await begin()
  expect(await texts()).toEqual([])
  await query(`update alert_receivers set snoozed_until = snoozed_until - interval '61 minutes'`)
  await end()
  await begin()
  expect(await texts()).toEqual(beginOf('Feed'))
})

test('a snooze of one person and one subject leaves the alerts of others and of other rules', async () => {
  const [buyers] = await query(`select id from roles where code = 'buyer'`)
  await createRule(admin.session, { name: 'Other' })
  await createRule(admin.session, { name: 'Feed', receiver_role_ids: [Number(buyers?.id)] })
  await begin()
  await sendNotices()
  await snooze('hour')
  await end()
  expect((await sendNotices()).map(({ chat }) => chat).toSorted()).toEqual(['501', '502', '503'])
  await begin()
  const messages = await sendNotices()
  const own = messages.find(({ chat }) => chat === '503')
  expect(own?.text).toContain('• Other: нет лидов')
  expect(own?.text).not.toContain('Feed')
  expect(messages).toHaveLength(3)
  expect((await readInbox(aziz.session)).meta.unread).toBe(2)
})

test('a rule that is muted while its alert is open reports no end, and reports again after the mute', async () => {
  const { id } = await createRule(admin.session, { name: 'Feed' })
  await begin()
  expect(await texts()).toEqual(beginOf('Feed'))
  await mute(id, true)
  await end()
  await begin()
  await mute(id, false)
  await end()
  expect(await texts()).toEqual([])
  await begin()
  expect(await texts()).toEqual(beginOf('Feed'))
  await mute(id, true)
  await mute(id, false)
  await end()
  expect(await texts()).toEqual(endOf('Feed'))
})

test('an alert that is still open when its snooze ends reports its end', async () => {
  await createRule(admin.session, { name: 'Feed' })
  await begin()
  expect(await texts()).toEqual(beginOf('Feed'))
  await snooze('hour')
  await query(`update alert_receivers set snoozed_until = now() - interval '1 second'`)
  await end()
  expect(await texts()).toEqual(endOf('Feed'))
})
