import { openDeps, openLog } from '../deps.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendFile } from '../../test/files.ts'
import { callApi, testKey } from '../../test/app.ts'
import { runJob } from '../../test/jobs.ts'
import { createRow } from '../../test/people.ts'
import { createSettlementFixture, type SettlementFixture } from '../../test/settlements.ts'
import type { Deps } from '../platform/deps.ts'
import { createEncryption } from '../platform/security/encryption.ts'
import { checkInstallation } from './check.ts'
import { createJobs } from './jobs.ts'

let fixture: SettlementFixture

beforeAll(async () => {
  fixture = await createSettlementFixture({
    KARVON_SMTP_URL: 'smtp://127.0.0.1:1',
    KARVON_MAIL_FROM: 'desk@example.uz',
  })
  const { product, admin, account } = fixture
  const { app } = product
  const body = { name: 'N', url: 'https://n.example' }
  const source = await createRow(app, admin, '/api/admin/cpa-sources/', body)
  const leads = ['l-1,2026-03-31T20:30:00Z,sold,10', 'l-2,2026-03-31T22:30:00Z,sold,20']
  const leadFile = {
    name: 'leads.csv',
    content: ['external_id,created_at,status,payout', ...leads].join('\n'),
  }
  await sendFile(app, admin, '/api/admin/leads/import/', leadFile, { source_id: String(source) })
  const parcels = ['P-1', 'P-2'].map((orderno) => `${orderno},100,DELIVERED,2026-03-01T10:00:00Z,aziz`)
  const heading = 'orderno,cod_amount,status,event_time,owner'
  const parcelFile = { name: 'parcels.csv', content: [heading, ...parcels].join('\n') }
  await sendFile(app, admin, '/api/admin/parcels/import/', parcelFile)
  const acts = ['A-1,2026-03-10,P-1,100', 'A-2,2026-04-10,P-1,100', 'A-2,2026-04-10,P-2,100']
  const actFile = { name: 'acts.csv', content: ['act_number,act_date,orderno,collected', ...acts].join('\n') }
  const fields = { courier_account_id: String(account) }
  const answer = await sendFile(app, admin, '/api/admin/settlements/import/', actFile, fields)
  if (answer.json<{ imported: number }>().imported !== 3) throw new Error(answer.body)
  const schedule = {
    channel: 'mail',
    time: '09:00',
    weekdays: null,
    month_days: [1],
    includes_roles: false,
    is_active: true,
  }
  const view = { name: 'First of the month', address: '/explore', schedule }
  const viewAnswer = await callApi(app, admin, 'POST', '/api/views/', view)
  if (viewAnswer.statusCode !== 201) throw new Error(viewAnswer.body)
})
afterAll(() => fixture.close())

async function checkIn({ config, files }: Deps) {
  const encryption = createEncryption([testKey])
  const { timeZone } = config
  return checkInstallation({ url: fixture.product.databaseUrl, timeZone, files, encryption })
}

test.each(['Europe/Berlin', 'Pacific/Apia'])(
  'after a change of the time zone to %s every stored day is one of the new zone',
  async (timeZone) => {
    const { product } = fixture
    expect((await checkIn(product.deps)).faults).toBe(0)
    const config = { ...product.deps.config, timeZone }
    const url = product.databaseUrl
    const deps = await openDeps(config, { url, ring: { keys: [testKey] }, log: openLog('silent') })
    try {
      const jobs = createJobs(deps)
      for (const name of ['recount-days', 'fold-lead-deltas', 'build-lead-segments']) await runJob(jobs, name)
      const { rows } = await deps.pool.query(
        'select orderno, settled_at::date::text as day, settled_at::time::text as time from parcels order by orderno',
      )
      expect(rows).toEqual([
        { orderno: 'P-1', day: '2026-03-10', time: '00:00:00' },
        { orderno: 'P-2', day: '2026-04-10', time: '00:00:00' },
      ])
      const schedules = await deps.pool.query(
        `select next_at::time::text as time, extract(day from next_at)::integer as day, next_at > now() as is_next from view_schedules`,
      )
      expect(schedules.rows).toEqual([{ time: '09:00:00', day: 1, is_next: true }])
      const { lines, faults } = await checkIn(deps)
      expect(faults, lines.join('\n')).toBe(0)
    } finally {
      await runJob(createJobs(product.deps), 'recount-days')
      await deps.close()
    }
  },
)
