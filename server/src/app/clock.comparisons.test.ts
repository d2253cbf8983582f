import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { sendFile } from '../../test/files.ts'
import { hour } from '../../test/moment.ts'
import { passTime } from '../../test/pass-time.ts'
import { createSettlementFixture, dayAgo, type SettlementFixture } from '../../test/settlements.ts'
import { interruptedImportsJob } from '../domains/imports/imports.jobs.ts'
import { clockSetBackJob } from './clock.jobs.ts'

let fixture: SettlementFixture
const key = randomUUID()

/** The import of an act, while the clock is a day ahead. Then the clock is set back. */
beforeAll(async () => {
  fixture = await createSettlementFixture()
  const { product, admin, account } = fixture
  const { db, pool } = product.deps
  await fixture.addParcels(fixture.azizId, [{ orderno: 'C-1', cash: 100_000 }])
  const content = `act_number,act_date,orderno,collected\nC,${dayAgo(3)},C-1,100000`
  const url = '/api/admin/settlements/import/'
  const fields = { courier_account_id: String(account), key }
  const answer = await sendFile(product.app, admin, url, { name: 'acts.csv', content }, fields)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  await fixture.query(`update imports set status = 'running', finished_at = null where key = $1`, [key])
  const clockJob = clockSetBackJob({ db, log: pino({ level: 'silent' }) })
  const run = () => clockJob.run(new AbortController().signal)
  await run()
  await passTime(pool, -24 * hour)
  await run()
})
afterAll(() => fixture.close())

test('after the clock was set back, an act is compared with a parcel that changes', async () => {
  await fixture.query(`update parcels set cod_amount = 120000, updated_at = now() + interval '11 minutes'`)
  await fixture.runJob()
  expect(await fixture.query('select kind, expected, status from settlement_differences')).toEqual([
    { kind: 'amount', expected: 120_000, status: 'open' },
  ])
})

test('after the clock was set back, an import whose process ended counts as interrupted', async () => {
  const { product, admin } = fixture
  await fixture.query(`update imports set heartbeat_at = heartbeat_at - interval '62 seconds'`)
  await interruptedImportsJob(product.deps).run(new AbortController().signal)
  const answer = await callApi(product.app, admin, 'GET', `/api/admin/imports/${key}/`)
  expect(answer.json()).toMatchObject({ status: 'failed' })
})
