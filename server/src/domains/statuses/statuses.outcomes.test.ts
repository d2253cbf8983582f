import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { buildParcelEvent } from '../../../test/parcel.ts'
import { createSample, type Row } from '../../../test/sample.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { ingestParcels } from '../parcels/parcels.ingest.ts'
import { applyOutcomesToLateLeads } from '../parcels/parcels.late-leads.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const call = async (method: 'GET' | 'POST', url: string, body?: object) => {
  const answer = await callApi(product.app, admin, method, url, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json<{ items: Row[] } & Row>()
}
const applyLateOutcomes = () => applyOutcomesToLateLeads(product.deps.db, new AbortController().signal)

test('the outcomes of parcels are applied when their report column gets an active status', async () => {
  const { db } = product.deps
  const types = (await call('GET', '/api/admin/status-types/?per_page=100')).items
  const typeId = types.find(({ code }) => code === 'returned')?.id
  const statuses = (await call('GET', `/api/admin/statuses/?type_id=${typeId}&per_page=100`)).items
  const activate = (id: number, is_active: boolean) =>
    call('POST', `/api/admin/statuses/${id}/`, { is_active })
  for (const { id } of statuses) await activate(id, false)
  const sourceId = (await createSample(product.app, admin, cpaSources)).id
  const readStatus = async (externalId: string) =>
    (await call('GET', `/api/admin/leads/?source_id=${sourceId}&search=${externalId}`)).items[0]?.['status']
  const bringBack = async (externalId: string) => {
    const lead = buildLead(externalId, { source_status: 'sent', updated_at: '2026-11-19T10:00:00Z' })
    await ingestLeads(db, { sourceId, leads: [lead], origin: 'connector' })
    await ingestParcels(db, [buildParcelEvent(externalId, 'CANCELED', { eventtime: '2026-11-20T10:00:00Z' })])
    await applyLateOutcomes()
  }
  await bringBack('R1')
  const { id } = await call('POST', '/api/admin/statuses/', {
    name: 'Came back',
    type_id: typeId,
    is_active: true,
  })
  expect(await applyLateOutcomes()).toBe(1)
  expect(await readStatus('R1')).toMatchObject({ id })

  await activate(id, false)
  await bringBack('R2')
  await activate(id, true)
  expect(await applyLateOutcomes()).toBe(1)
  expect(await readStatus('R2')).toMatchObject({ id })
})
