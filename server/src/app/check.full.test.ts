import { appendFile, rm } from 'node:fs/promises'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, firstAdmin, signInAdmin, testKey, type Product } from '../../test/app.ts'
import { sendFile } from '../../test/files.ts'
import { buildLeadsCsv, buildParcelsCsv, readOrders } from '../../test/olist.ts'
import { createSample } from '../../test/sample.ts'
import { openFolderStore } from '../platform/files/file-store.folder.ts'
import { foldLedgerDeltas } from '../domains/ledger/ledger.fold.queries.ts'
import { foldDeltas } from '../domains/reports/reports.fold.queries.ts'
import { buildChangedDays } from '../domains/segments/segments.jobs.ts'
import { createEncryption } from '../platform/security/encryption.ts'
import { checkInstallation } from './check.ts'

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
let product: Product

beforeAll(async () => {
  product = await createTestApp()
  const { app } = product
  const admin = await signInAdmin(app)
  const source = await createSample(app, admin, cpaSources)
  await createSample(app, admin, sourceCredentials, { pass: 'тайна', api_key: 'key', token: 'token' })
  await createSample(app, admin, streams)
  const orders = readOrders().slice(0, 200)
  const leads = { name: 'leads.csv', content: buildLeadsCsv(orders) }
  await sendFile(app, admin, '/api/admin/leads/import/', leads, { source_id: String(source.id) })
  const parcels = { name: 'parcels.csv', content: buildParcelsCsv(orders, () => firstAdmin.username) }
  await sendFile(app, admin, '/api/admin/parcels/import/', parcels)
  await sendFile(app, admin, '/api/parcel/files/upload/', { name: 'a.pdf', content: pdf })
})
afterAll(() => product.close())

const check = (sampleSeconds?: number) => {
  const { timeZone } = product.deps.config
  const encryption = createEncryption([testKey])
  return checkInstallation(
    { url: product.databaseUrl, timeZone, files: product.deps.files, encryption },
    sampleSeconds,
  )
}

test('the check command finds no fault in an untouched database, before and after folding', async () => {
  const { lines, faults } = await check()
  expect([lines, faults]).toEqual([expect.any(Array), 0])
  expect(lines).toHaveLength(10)
  expect(lines.join('\n')).toMatch(/good {2}parcels: 200 parcels/)
  expect(lines.join('\n')).toMatch(/good {2}ledger: [1-9][\d,]+ entries/)
  expect(lines.join('\n')).toMatch(/good {2}uploaded files: 1 file/)
  expect(lines.join('\n')).toMatch(/good {2}encrypted secrets: [34] secrets/)
  await foldDeltas(product.deps.db)
  await foldLedgerDeltas(product.deps.db)
  await buildChangedDays(product.deps.db)
  const checkResult = await check()
  expect(checkResult.faults).toBe(0)
  expect(checkResult.lines.join('\n')).toMatch(/good {2}totals of the reports: [1-9][\d,]+ totals/)
})

const sql = async (text: string) => void (await product.deps.pool.query(text))

test.each<[string, string, string, string]>([
  ['totals of the reports', 'offer_totals', 'profit = profit + 0.01', 'profit = profit - 0.01'],
  ['totals of the reports', 'source_totals', 'leads = leads + 1', 'leads = leads - 1'],
  ['segments of leads', 'lead_segments', 'leads = leads + 1', 'leads = leads - 1'],
  [
    'segments of leads',
    'lead_segments',
    'slices[1] = slices[1] - 1000000',
    'slices[1] = slices[1] + 1000000',
  ],
  ['currencies of leads', 'lead_currencies', `currency = currency || 'X'`, 'currency = left(currency, -1)'],
  ['ledger', 'ledger_balances', 'amount = amount + 0.01', 'amount = amount - 0.01'],
  ['totals of the lists', 'row_counts', 'rows = rows + 1', 'rows = rows - 1'],
  ['totals of the lists', 'row_ranges', 'rows = rows + 1', 'rows = rows - 1'],
  ['parcels', 'parcels', `eventtime = eventtime + interval '1 s'`, `eventtime = eventtime - interval '1 s'`],
  ['encrypted secrets', 'source_credentials', `token = token || 'AAAA'`, 'token = left(token, -4)'],
])(
  "%s: the check command finds a change behind the product's back in %s",
  async (name, table, change, undo) => {
    await sql(`update ${table} set ${change}`)
    const { lines, faults } = await check()
    await sql(`update ${table} set ${undo}`)
    expect(faults).toBeGreaterThan(0)
    expect(lines.filter((line) => line.startsWith('BAD'))).toEqual([expect.stringContaining(name)])
    expect((await check()).faults).toBe(0)
  },
)

test('the check command finds an uploaded file that was changed or removed', async () => {
  const files = openFolderStore(product.deps.config.dataFolder)
  const [{ sha256 }] = (await product.deps.pool.query<{ sha256: string }>('select sha256 from uploads'))
    .rows as [{ sha256: string }]
  await appendFile(files.getPath(sha256), 'x')
  expect((await check()).lines.join('\n')).toContain('is not what was uploaded')
  await rm(files.getPath(sha256))
  const { lines, faults } = await check()
  expect([faults, lines.join('\n')]).toEqual([1, expect.stringContaining('is gone')])
})

test('a check by samples compares whole days until its time limit, and reports their share', async () => {
  await foldDeltas(product.deps.db)
  const { lines, faults } = await check(60)
  expect([lines, faults]).toEqual([
    [
      expect.stringMatching(
        /^good {2}random days of leads: (\d+) of \1 days, 200 of 200 leads \(100\.0 %\)$/,
      ),
    ],
    0,
  ])
  expect((await check(0)).lines).toEqual([expect.stringMatching(/: 1 of \d+ days, \d+ of 200 leads/)])
})

test.each<[string, string, string]>([
  ['source_totals', 'start', 'span = 1'],
  ['offer_totals', 'start', 'span = 1'],
  ['stream_totals', 'start', 'span = 1'],
  ['status_totals', 'start', 'span = 1'],
  ['lead_segments', 'day', 'true'],
])('a check by samples finds a change in %s, and names the day', async (table, column, condition) => {
  const { rows } = await product.deps.pool.query<{ day: string }>(
    `select min(${column})::text as day from ${table} where ${condition}`,
  )
  const day = rows[0]?.day
  const where = `where ${column} = '${day}' and ${condition}`
  await sql(`update ${table} set leads = leads + 1 ${where}`)
  const { lines, faults } = await check(60)
  await sql(`update ${table} set leads = leads - 1 ${where}`)
  expect([faults, lines.join('\n')]).toEqual([1, expect.stringContaining(`${day}`)])
})
