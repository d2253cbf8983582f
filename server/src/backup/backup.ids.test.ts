import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  callApi,
  createTestApp,
  createTestAppOn,
  signInAdmin,
  type Product,
  type Session,
} from '../../test/app.ts'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../test/database.ts'
import { createTemporaryFolder } from '../../test/folder.ts'
import { buildLead } from '../../test/lead-database.ts'
import { buildParcelEvent } from '../../test/parcel.ts'
import { createRow } from '../../test/people.ts'
import { ingestLeads } from '../domains/leads/leads.ingest.ts'
import { ingestParcels } from '../domains/parcels/parcels.ingest.ts'
import { applyOutcomesToLateLeads } from '../domains/parcels/parcels.late-leads.ts'
import { restoreBackup } from './backup.restore.ts'
import { writeBackup } from './backup.write.ts'

type App = Pick<Product, 'app' | 'deps'>

const folder = createTemporaryFolder()
let product: Product
let admin: Session
let otherDatabase: TestDatabase

beforeAll(async () => {
  product = await createTestApp({ KARVON_DATA: join(folder, 'data') })
  admin = await signInAdmin(product.app)
  otherDatabase = await createTestDatabase()
})
afterAll(async () => {
  await product.close()
  await otherDatabase.drop()
  await rm(folder, { recursive: true, force: true })
})

const createRole = ({ app }: App, by: Session, code: string) =>
  createRow(app, by, '/api/admin/roles/', { code, name: code, source_ids: [] })
const createSource = ({ app }: App, by: Session) =>
  createRow(app, by, '/api/admin/cpa-sources/', { name: 'Network', url: 'https://network.example' })
const listRules = async ({ app }: App, by: Session) =>
  (await callApi(app, by, 'GET', '/api/alert-rules/?kind=metric')).json<{ items: object[] }>().items
const ingest = ({ deps }: App, sourceId: number, externalId: string) =>
  ingestLeads(deps.db, {
    sourceId,
    leads: [buildLead(externalId, { source_status: 'sent' })],
    origin: 'file',
  })
const applyOutcomes = ({ deps }: App) => applyOutcomesToLateLeads(deps.db, new AbortController().signal)

test('after a restore no id of a deleted row, and none of a transaction that failed, is used again', async () => {
  const source = await createSource(product, admin)
  const formerRole = await createRole(product, admin, 'former')
  await createRow(product.app, admin, '/api/alert-rules/', {
    name: 'Many leads',
    kind: 'metric',
    metric: 'leads',
    period: 'last_7_days',
    condition: 'above',
    against: 'value',
    threshold: 1,
    receiver_role_ids: [formerRole],
  })
  await callApi(product.app, admin, 'DELETE', `/api/admin/roles/${formerRole}`)
  await ingest(product, source, 'first')
  await product.deps.pool.query(`select nextval('leads_id_seq') from generate_series(1, 5)`)
  await applyOutcomes(product)

  const { dataFolder } = product.deps.config
  const to = join(folder, 'backup')
  const installation = { timeZone: TEST_TIMEZONE, dataFolder, files: product.deps.files }
  await writeBackup({ ...installation, url: product.databaseUrl }, to)
  await restoreBackup({ ...installation, url: otherDatabase.url }, to)

  const restored = await createTestAppOn(otherDatabase.url, { KARVON_DATA: dataFolder })
  try {
    const restoredAdmin = await signInAdmin(restored.app)
    expect(await createRole(restored, restoredAdmin, 'new')).toBeGreaterThan(formerRole)
    expect(await listRules(restored, restoredAdmin)).toMatchObject([{ receiver_role_ids: [] }])
    await ingestParcels(restored.deps.db, [
      buildParcelEvent('late', 'COMPLETE', { eventtime: '2026-11-21T10:00:00Z' }),
    ])
    await ingest(restored, source, 'late')
    expect(await applyOutcomes(restored), 'the lead gets the outcome of its parcel').toBe(1)
  } finally {
    await restored.close()
  }
})
