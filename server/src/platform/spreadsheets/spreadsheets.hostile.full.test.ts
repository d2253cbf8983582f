import { deflateRawSync } from 'node:zlib'
import { writeXlsx } from 'hucre'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import {
  type ArchiveEntry,
  buildArchive,
  buildSheetXml,
  buildWordDocument,
  buildWorkbook,
  buildWorkbookParts,
} from '../../../test/archives.ts'
import { buildCompoundFile, buildXls } from '../../../test/compound-file.ts'
import { sendFile } from '../../../test/files.ts'

let product: Product
let admin: Session
let source: string
/** Processor time of a valid workbook with this number of rows, the reference for malicious files. */
let referenceTime: number
const referenceRows = 20_000

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  const sourceAnswer = await callApi(product.app, admin, 'POST', '/api/admin/cpa-sources/', {
    name: 'N',
    url: 'https://n.example',
  })
  source = String(sourceAnswer.json<{ id: number }>().id)
  const rows = Array.from(
    { length: referenceRows },
    (_, n) => [n + 2, { ...validCells, A: `h-${n}` }] as const,
  )
  const sheet = buildSheetXml([[1, headerCells], ...rows])
  const { answer, work } = await measureImport(
    '/api/admin/leads/import/',
    'h.xlsx',
    buildArchive(buildWorkbookParts(sheet)),
  )
  if (answer.json<{ imported: number }>().imported !== referenceRows) throw new Error(answer.body)
  referenceTime = work
})

afterAll(() => product.close())

const megabyte = 1024 * 1024
const sheetPath = 'xl/worksheets/sheet1.xml'
const withSheet = (sheet: ArchiveEntry) =>
  buildArchive([...buildWorkbookParts('').filter(({ name }) => name !== sheetPath), sheet])
const headerCells = { A: 'external_id', B: 'created_at', C: 'status', D: 'payout' }
const validCells = { A: 'x', B: '2026-11-20', C: 'sold', D: '1' }

/** Sends a file to an import or the upload; returns the answer and the processor time. */
async function measureImport(url: string, name: string, content: Buffer | string) {
  const before = process.cpuUsage()
  const answer = await sendFile(product.app, admin, url, { name, content }, { source_id: source })
  const { user, system } = process.cpuUsage(before)
  return { answer, work: user + system }
}

/** Sends a file that must not cost more than the valid workbook and must leave the product alive. */
async function send(url: string, name: string, content: Buffer | string) {
  const { answer, work } = await measureImport(url, name, content)
  expect(work, 'processor time, compared with that of the reference workbook').toBeLessThan(referenceTime)
  expect((await callApi(product.app, null, 'GET', '/healthz')).statusCode).toBe(200)
  return answer
}

const zeroes = deflateRawSync(Buffer.alloc(64 * megabyte))
const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY ${'b'.repeat(i + 1)} "${`&${i === 0 ? 'a' : 'b'.repeat(i)};`.repeat(10)}">`).join('')}]>`

const hostile: readonly (readonly [what: string, content: () => Buffer, statuses: readonly number[]])[] = [
  [
    'a zip bomb that declares its size',
    () => withSheet({ name: sheetPath, packed: { bytes: zeroes, size: 64 * megabyte } }),
    [413],
  ],
  [
    'a zip bomb that declares a small size',
    () => withSheet({ name: sheetPath, packed: { bytes: zeroes, size: 2000 } }),
    [415],
  ],
  [
    'a zip bomb that declares the size 0',
    () => withSheet({ name: sheetPath, packed: { bytes: zeroes, size: 0 } }),
    [415],
  ],
  [
    'many parts that unpack to 4 MB each',
    () => {
      const bytes = deflateRawSync(Buffer.alloc(4 * megabyte))
      const entries = Array.from({ length: 100 }, (_, i) => ({
        name: `xl/${i}.xml`,
        packed: { bytes, size: 4 * megabyte },
      }))
      return buildArchive([...buildWorkbookParts(buildSheetXml([])), ...entries])
    },
    [413],
  ],
  [
    'too many parts',
    () =>
      buildArchive([
        ...buildWorkbookParts(buildSheetXml([])),
        ...Array.from({ length: 5001 }, (_, i) => ({ name: `xl/${i}` })),
      ]),
    [413],
  ],
  [
    'two parts with one name',
    () =>
      buildArchive([
        ...buildWorkbookParts(buildSheetXml([])),
        ...buildWorkbookParts(buildSheetXml([[1, headerCells]])),
      ]),
    [415],
  ],
  [
    'a part whose path leaves the archive',
    () => buildArchive([...buildWorkbookParts(buildSheetXml([])), { name: '../../xl/evil.xml' }]),
    [415],
  ],
  ['a truncated zip', () => buildWorkbook([[1, headerCells]]).subarray(0, 700), [415]],
  ['an empty zip', () => buildArchive([]), [415]],
  ['a document of Word', buildWordDocument, [415]],
  ['a workbook of the old format', () => buildXls([['external_id']]), [415]],
  ['a locked workbook', () => buildCompoundFile('EncryptedPackage', Buffer.alloc(5000)), [415]],
  [
    'invalid XML in its parts',
    () => buildArchive([{ name: '[Content_Types].xml' }, { name: 'xl/workbook.xml', content: '<x' }]),
    [422],
  ],
  [
    'a malformed sheet',
    () => buildArchive(buildWorkbookParts('<worksheet><sheetData><row><c r="A1"><v>')),
    [422],
  ],
  [
    'entities that expand exponentially',
    () =>
      buildArchive(
        buildWorkbookParts(
          `${entities}<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>&${'b'.repeat(20)};</v></c></row></sheetData></worksheet>`,
        ),
      ),
    [422],
  ],
  [
    'a list of sheets that do not end',
    () => {
      const list = { name: 'xl/workbook.xml', content: '<sheet '.repeat(100_000) }
      return buildArchive(
        buildWorkbookParts(buildSheetXml([[1, headerCells]])).map((part) =>
          part.name === list.name ? list : part,
        ),
      )
    },
    [422],
  ],
  ['a cell outside of any sheet', () => buildWorkbook([[1, { ...headerCells, ZZZZ: 'x' }]]), [422]],
]

describe('Hostile workbooks', () => {
  test.each(hostile)('a workbook with %s is refused with a reason', async (_what, content, statuses) => {
    for (const url of [
      '/api/admin/leads/import/',
      '/api/admin/parcels/import/',
      '/api/parcel/files/upload/',
      '/api/parcel/files/preview/',
    ]) {
      const answer = await send(url, 'заказы.xlsx', content())
      // A file that is a document to the check is stored, although no orders were read.
      const isDocument = url.includes('/files/') && statuses.includes(422)
      expect(isDocument ? [200] : statuses, answer.body).toContain(answer.statusCode)
      if (!isDocument) expect(answer.json<{ detail: string }>().detail).toMatch(/\.$/)
    }
  })

  test('a workbook that declares the dimensions of a whole sheet is read', async () => {
    const wide = buildArchive(
      buildWorkbookParts(
        buildSheetXml(
          [
            [1, headerCells],
            [2, validCells],
            [1_048_576, { XFD: 'far away' }],
          ],
          'A1:XFD1048576',
        ),
      ),
    )
    const answer = await send('/api/admin/leads/import/', 'wide.xlsx', wide)
    expect(answer.json()).toMatchObject({ imported: 1, skipped: 0 })
  })

  test('an old workbook with distant cells is read without filling the gaps', async () => {
    const answer = await send(
      '/api/parcel/files/upload/',
      'far.xls',
      buildXls([['orderno', 'person'], ...Array.from({ length: 65_000 }, () => []), ['1', 'A']]),
    )
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ imported: 1 })
  })
})

describe('Hostile csv files', () => {
  const head = 'external_id,created_at,status,payout\n'

  test.each([
    ['nothing', '', 422, 'empty'],
    ['blank lines', '\n\n\n', 422, 'empty'],
    ['zeroes', `${head}a\0b,2026-11-20,sold,1\n`, 415, 'plain text'],
    ['a zip archive', buildArchive([]), 415, ''],
    ['another encoding', Buffer.from(`${head}a,2026-11-20,sold,1,\xe9\n`, 'latin1'), 422, 'UTF-8'],
    ['UTF-16', Buffer.from(`\uFEFF${head}`, 'utf16le'), 415, 'plain text'],
    ['an unclosed quote', `${head}"a,2026-11-20,sold,1\nb,2026-11-20,sold,1\n`, 422, 'quot'],
    ['a quote in the middle', `${head}a "b" c,2026-11-20,sold,1\n`, 422, 'quot'],
    ['text after a quote', `${head}"a" b,2026-11-20,sold,1\n`, 422, 'quot'],
    ['one endless line', `${head}${'x'.repeat(1_500_000)}`, 422, ''],
    ['another heading', 'id,created_at,status\n1,2026-11-20,sold\n', 422, '"external_id", "payout"'],
  ])('a csv file of %s is refused with a reason', async (_what, content, status, detail) => {
    const answer = await send('/api/admin/leads/import/', 'leads.csv', content)
    expect(answer.statusCode, answer.body).toBe(status)
    expect(answer.json<{ detail: string }>().detail).toContain(detail)
  })

  test.each([
    [
      'semicolons and a BOM',
      '\uFEFFexternal_id;created_at;status;payout;comment\r\ns1;2026-11-20;sold;1,5;"a;b"\r\n',
    ],
    ['tabs', 'external_id\tcreated_at\tstatus\tpayout\tcomment\nt1\t2026-11-20\tsold\t1.5\ta;b\n'],
    [
      'commas, quotes and lines in a cell',
      'external_id,created_at,status,payout,comment\n"c""1",2026-11-20,sold,"1,5","a;b"\n',
    ],
    [
      'headings in another case and order, and columns of no use',
      'Payout,STATUS,x,Comment,Created At,External ID\n1.5,sold,?,a;b,20.11.2026 10:00,h1\n',
    ],
  ])('a csv file with %s is read', async (_what, content) => {
    const answer = await send('/api/admin/leads/import/', 'leads.csv', content)
    expect(answer.json()).toEqual({ imported: 1, updated: 0, unchanged: 0, skipped: 0, errors: [] })
  })

  test.each([
    ['LEADS.CSV', 200],
    ['../../лиды.csv', 200],
    ['leads.txt', 415],
    ['leads.xls', 415],
    ['leads', 415],
    ['csv', 415],
  ])('a csv file called %s gives %d', async (name, status) => {
    expect((await send('/api/admin/leads/import/', name, `${head}n,2026-11-20,sold,1\n`)).statusCode).toBe(
      status,
    )
  })
})

test('a workbook of a spreadsheet program reads like the same csv', async () => {
  const bytes = await writeXlsx({
    sheets: [
      {
        name: 'Лиды',
        rows: [
          ['external_id', 'created_at', 'status', 'payout', 'comment'],
          [4_780_012_345_671, new Date(Date.UTC(2026, 10, 20, 23, 30)), 'sold', 0.1 + 0.2, true],
          ['W-2', '2026-11-20T23:30:00Z', 'sold', 12.5, null],
        ],
      },
    ],
  })
  const answer = await send('/api/admin/leads/import/', 'leads.xlsx', Buffer.from(bytes))
  expect(answer.json()).toEqual({ imported: 2, updated: 0, unchanged: 0, skipped: 0, errors: [] })
  const list = await callApi(product.app, admin, 'GET', '/api/admin/leads/?external_id=4780012345671')
  expect(list.json<{ items: unknown[] }>().items).toMatchObject([
    { payout: 0.3, created_at: '2026-11-20T23:30:00+05:00', day: '2026-11-20', comment: 'TRUE' },
  ])
})
