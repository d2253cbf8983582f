import { selectCount } from '@karvon/testkit/extent.ts'
import { afterAll, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { planReplay } from '../../../test/alert-replay.ts'
import { foldDeltas } from '../reports/reports.fold.queries.ts'
import { createReplay } from '../../../test/alert-replay.run.ts'

/** 1,000 days take an hour. */
const days = selectCount({ short: 4, long: 1000 })

const fixture = await createAlertFixture()
afterAll(fixture.close)

test('in replayed days with planted silences and drops, each begin and end is reported once, at its evaluation, and nothing else is', async () => {
  await fixture.resetAlerts()
  const replay = await createReplay(fixture)
  const steps = planReplay(days, 7)
  let noticeLines = 0
  for (const [n, step] of steps.entries()) {
    await replay.arrive(step)
    if (n % 100 === 0) await foldDeltas(fixture.product.deps.db)
    const { startedIds, endedIds } = await fixture.evaluate(step.at)
    if (startedIds.length + endedIds.length === 0) {
      expect([step.at, step.started, step.ended]).toEqual([step.at, [], []])
      continue
    }
    expect({ at: step.at, ...(await replay.readNotices()) }).toEqual({
      at: step.at,
      started: step.started,
      ended: step.ended,
    })
    noticeLines += step.started.length + step.ended.length
  }
  // Each feed is silent about twice in five days.
  expect(noticeLines).toBeGreaterThan(days * 2)
  expect(await fixture.query(`select from notices where status <> 'sent'`)).toEqual([])
})
