import { selectCount } from '@karvon/testkit/extent.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { planReplay, type ReplayStep } from '../../../test/alert-replay.ts'
import { createReplay } from '../../../test/alert-replay.run.ts'
import { createAlertFixture } from '../../../test/alerts.ts'
import { startWorker } from '../../../test/worker.ts'

/** 1,000 days take an hour. */
const days = selectCount({ short: 5, long: 1000 })
const kills = selectCount({ short: 4, long: 50 })

const fixture = await createAlertFixture()
/** Workers are started in advance, because the start takes long. */
const workers: Promise<NodeProcess>[] = []
afterEach(async () => {
  for (const worker of workers.splice(0)) await (await worker).kill()
})
afterAll(fixture.close)

async function start(): Promise<NodeProcess> {
  const worker = startWorker('alert-worker', fixture.product)
  await worker.waitFor(/ready/)
  return worker
}

test('in replayed days each begin and end is reported once, although evaluations are killed before, during and after their commit', async () => {
  await fixture.resetAlerts()
  const replay = await createReplay(fixture)
  const steps = planReplay(days, 11)
  // At the begin and the end of an incident, a kill could cause two messages or none.
  const eventful = steps.filter(({ started, ended }) => started.length + ended.length > 0)
  const killedSteps = new Set(eventful.filter((_, n) => n % Math.ceil(eventful.length / kills) === 0))
  workers.push(start(), start())
  let worker = await takeWorker()
  let halfway = 0
  for (const [n, step] of steps.entries()) {
    await replay.arrive(step)
    if (killedSteps.has(step)) {
      worker.write(`${step.at}\n`)
      if (n % 3 === 0) await worker.waitFor(new RegExp(`done ${step.at}`))
      else await sleep((n * 7) % 60)
      await worker.kill()
      if (!(await isEvaluated(step))) halfway += 1
      worker = await takeWorker()
    }
    // The evaluation after a restart.
    worker.write(`${step.at}\n`)
    await worker.waitFor(new RegExp(`done ${step.at}`))
    if (step.started.length + step.ended.length > 0 || n % 20 === 0)
      expect({ at: step.at, ...(await replay.readNotices()) }).toEqual({
        at: step.at,
        started: step.started,
        ended: step.ended,
      })
  }
  expect(killedSteps.size).toBeGreaterThan(kills / 2)
  expect(halfway, 'kills before the commit').toBeGreaterThan(0)
  expect(halfway, 'kills after the commit').toBeLessThan(killedSteps.size)
  workers.push(Promise.resolve(worker))
})

async function takeWorker(): Promise<NodeProcess> {
  workers.push(start())
  return (await workers.shift()) as NodeProcess
}

/** Whether the evaluation of a step was committed. */
async function isEvaluated({ at }: ReplayStep): Promise<boolean> {
  const text = 'select from alert_incidents where began_at = $1 or ended_at = $1 limit 1'
  return (await fixture.query(text, [at])).length > 0
}
