import { writeXlsx } from 'hucre'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildArchive, buildSheetXml, buildWorkbookParts } from '../../../test/archives.ts'
import { buildXls, buildXlsSheets } from '../../../test/compound-file.ts'
import { sendFile, type TestFile } from '../../../test/files.ts'
import { createRow } from '../../../test/people.ts'

let product: Product
let admin: Session
let source: string
beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  source = String(
    await createRow(product.app, admin, '/api/admin/cpa-sources/', { name: 'N', url: 'https://n.example' }),
  )
})
afterAll(() => product.close())

const upload = (file: TestFile) => sendFile(product.app, admin, '/api/parcel/files/upload/', file)
const importLeads = (content: TestFile['content'], name = 'leads.csv') =>
  sendFile(product.app, admin, '/api/admin/leads/import/', { name, content }, { source_id: source })

const findOrder = async (orderno: string) => {
  const url = `/api/parcel/parcels/all?orderno=${orderno}&date_from=2000-01-01&date_to=2100-01-01`
  return (await callApi(product.app, admin, 'GET', url)).json<{ items: Record<string, unknown>[] }>().items
}

const buildText = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`

/** A workbook whose cells are raw values of a sheet. */
function buildCells(rows: readonly (readonly string[])[]): Buffer {
  const xml = rows.map((cells, at) => `<row r="${at + 1}">${cells.join('')}</row>`).join('')
  return buildArchive(
    buildWorkbookParts(
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${xml}</sheetData></worksheet>`,
    ),
  )
}

/** A workbook whose first order has an amount and a day as raw values of a sheet. The second order is valid. */
const buildWorkbook = (amount: string, day: string) =>
  buildCells([
    ['orderno', 'person', 'cod_amount', 'date'].map(buildText),
    [buildText('x-1'), buildText('A'), amount, day],
    [buildText('x-2'), buildText('B'), '<c><v>5</v></c>', buildText('2026-11-20')],
  ])

test.each([
  ['an amount out of range', '<c><v>1e400</v></c>', '<c/>', 'cod_amount', '#NUM!'],
  ['a negative amount out of range', '<c><v>-1e400</v></c>', '<c/>', 'cod_amount', '#NUM!'],
  ['a formula that failed', '<c t="e"><v>#DIV/0!</v></c>', '<c/>', 'cod_amount', '#DIV/0!'],
  ['a day that a formula did not find', '<c><v>5</v></c>', '<c t="e"><v>#N/A</v></c>', 'date', '#N/A'],
])('an order with %s is an error of its row', async (_what, amount, day, field, error) => {
  const answer = await upload({ name: 'orders.xlsx', content: buildWorkbook(amount, day) })
  expect(answer.json()).toMatchObject({
    errors: [
      { row: 1, field, code: 'formula_error', message: `${field} has the error ${error} of a formula` },
    ],
  })
  expect(await findOrder('x-1')).toEqual([])
  expect(await findOrder('x-2')).toMatchObject([{ cod_amount: 5 }])
})

test.each([
  ['no value', '<c r="C2"><f>1000*2</f></c>'],
  ['an empty value', '<c r="C2"><f>1000*2</f><v></v></c>'],
  ['an empty value in one tag', '<c r="C2" s="1"><f t="shared" si="0"/><v/></c>'],
])('an order with a formula with %s is an error of its row', async (what, amount) => {
  const answer = await upload({ name: 'formulas.xlsx', content: buildWorkbook(amount, '<c/>') })
  expect(answer.json(), what).toMatchObject({
    errors: [{ row: 1, field: 'cod_amount', code: 'formula_not_calculated' }],
  })
  expect(await findOrder('x-1')).toEqual([])
})

test('a workbook whose sheet ends early is refused as damaged', async () => {
  const xml = buildSheetXml([
    [1, { A: 'orderno', B: 'person' }],
    [2, { A: 'early-1', B: 'A' }],
    [3, { A: 'early-2', B: 'B' }],
  ])
  const content = buildArchive(buildWorkbookParts(xml.slice(0, xml.indexOf('early-2'))))
  expect((await upload({ name: 'early.xlsx', content })).json()).toMatchObject({
    imported: 0,
    errors: [{ code: 'workbook_damaged' }],
  })
  expect(await findOrder('early-1')).toEqual([])
})

test('the stored values of formulas are read, and an empty text is blank', async () => {
  const content = buildCells([
    ['orderno', 'person', 'cod_amount', 'date'].map(buildText),
    [
      buildText('formula-1'),
      '<c r="B2" t="str"><f>""</f><v></v></c>',
      '<c r="C2"><f>1000*2</f><v>2000</v></c>',
      '<c/>',
    ],
    [
      buildText('formula-2'),
      buildText('x'.repeat(70_000)),
      '<c r="C3"><f>1+1</f><v>2</v></c>',
      '<c r="E3"><f>1</f></c>',
    ],
  ])
  expect((await upload({ name: 'values.xlsx', content })).json()).toMatchObject({ imported: 1 })
  expect(await findOrder('formula-1')).toMatchObject([{ cod_amount: 2000, receiver: { person: null } }])
})

test('order numbers that a workbook has as numbers keep all digits', async () => {
  const numbers = ['1234567890123456', '1234567890123457', '9007199254740991']
  const orders = numbers.map((number) => [`<c><v>${number}</v></c>`, buildText('A')])
  const content = buildCells([['orderno', 'person'].map(buildText), ...orders])
  const answer = await upload({ name: 'numbers.xlsx', content })
  expect(answer.json()).toMatchObject({ imported: 3, errors: [] })
  for (const orderno of numbers) expect(await findOrder(orderno)).toMatchObject([{ orderno }])
})

test('an order number that a workbook has as a longer number has lost its last digits, and is an error of its row', async () => {
  const numbers = ['98765432109876543210', '1e20', '9007199254740993']
  const orders = numbers.map((number) => [`<c><v>${number}</v></c>`, buildText('A')])
  const content = buildCells([['orderno', 'person'].map(buildText), ...orders])
  const answer = (await upload({ name: 'long.xlsx', content })).json<{ errors: object[] }>()
  expect(answer).toMatchObject({ imported: 0, skipped: 3 })
  expect(answer.errors).toMatchObject(
    ['9.87654321098765E+19', '1E+20', '9.00719925474099E+15'].map((number) => ({
      field: 'orderno',
      code: 'number_shortened',
      params: { number },
    })),
  )
})

test('an order with an amount out of range in an old workbook is an error of its row', async () => {
  const content = buildXls([
    ['orderno', 'person', 'cod_amount'],
    ['o-1', 'A', Infinity],
    ['o-2', 'B', 7],
  ])
  const answer = await upload({ name: 'orders.xls', content })
  expect(answer.json()).toMatchObject({ imported: 1, skipped: 1, errors: [{ row: 1, field: 'cod_amount' }] })
  expect(await findOrder('o-1')).toEqual([])
})

const orderRows = (orderno: string) => [
  ['orderno', 'person'],
  [orderno, 'A'],
]

test.each(['hidden', 'veryHidden'] as const)(
  'the orders of the first visible sheet are imported, not those of a %s one',
  async (visibility) => {
    const content = await writeXlsx({
      sheets: [
        { name: 'Lists', rows: orderRows(`${visibility}-1`), [visibility]: true },
        { name: 'Orders', rows: orderRows(`${visibility}-2`) },
      ],
    })
    const answer = await upload({ name: 'orders.xlsx', content: Buffer.from(content) })
    expect(answer.json()).toMatchObject({ imported: 1 })
    expect(await findOrder(`${visibility}-1`)).toEqual([])
    expect(await findOrder(`${visibility}-2`)).toHaveLength(1)
  },
)

test('the orders of the first sheet with cells are imported, after a sheet with a chart', async () => {
  const sheet = buildSheetXml([
    [1, { A: 'orderno', B: 'person' }],
    [2, { A: 'chart-1', B: 'A' }],
  ])
  const addBefore = (text: string, tag: string, added: string) => text.replace(tag, () => `${added}${tag}`)
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/chartsheet'
  const parts = buildWorkbookParts(sheet).map(({ name, content = '' }) => ({
    name,
    content: name.endsWith('workbook.xml.rels')
      ? addBefore(
          String(content),
          '<Relationship ',
          `<Relationship Id="rId9" Type="${type}" Target="chartsheets/sheet1.xml"/>`,
        )
      : addBefore(String(content), '<sheet ', '<sheet name="Chart" sheetId="9" r:id="rId9"/>'),
  }))
  const chart = { name: 'xl/chartsheets/sheet1.xml', content: '<chartsheet/>' }
  const answer = await upload({ name: 'orders.xlsx', content: buildArchive([...parts, chart]) })
  expect(answer.json(), answer.body).toMatchObject({ imported: 1 })
  expect(await findOrder('chart-1')).toHaveLength(1)
})

test('the orders of the first visible sheet with cells are imported, after blank sheets', async () => {
  const content = await writeXlsx({
    sheets: [
      { name: 'Blank', rows: [] },
      { name: 'Spaces', rows: [['  ', '']] },
      { name: 'Hidden', rows: orderRows('blank-1'), hidden: true },
      { name: 'Orders', rows: orderRows('blank-2') },
      { name: 'More orders', rows: orderRows('blank-3') },
    ],
  })
  const answer = await upload({ name: 'orders.xlsx', content: Buffer.from(content) })
  expect(answer.json()).toMatchObject({ imported: 1 })
  for (const other of ['blank-1', 'blank-3']) expect(await findOrder(other)).toEqual([])
  expect(await findOrder('blank-2')).toHaveLength(1)
})

test('the orders of an old workbook are imported, after a blank sheet', async () => {
  const content = buildXlsSheets([{ rows: [] }, { rows: orderRows('old-blank') }])
  expect((await upload({ name: 'orders.xls', content })).json()).toMatchObject({ imported: 1 })
  expect(await findOrder('old-blank')).toHaveLength(1)
})

test('an old workbook whose sheet ends early is refused as damaged', async () => {
  const rows = Array.from({ length: 100 }, (_, n) => [`old-early-${n}`, 'A'])
  const content = buildXls([['orderno', 'person'], ...rows])
  // A disk that loses power, or an interrupted download, leaves zeros at the end of a file.
  content.fill(0, Math.floor(content.length / 2))
  expect((await upload({ name: 'early.xls', content })).json()).toMatchObject({
    imported: 0,
    errors: [{ code: 'workbook_damaged' }],
  })
  expect(await findOrder('old-early-0')).toEqual([])
})

test('the orders of the first visible sheet of an old workbook are imported', async () => {
  const content = buildXlsSheets([
    { rows: orderRows('old-1'), isHidden: true },
    { rows: [], isChart: true },
    { rows: orderRows('old-2') },
    { rows: orderRows('old-3') },
  ])
  expect((await upload({ name: 'orders.xls', content })).json()).toMatchObject({ imported: 1 })
  expect(await findOrder('old-1')).toEqual([])
  expect(await findOrder('old-2')).toHaveLength(1)
})

test.each([
  ['a semicolon', 'sep=;\r\nexternal_id;created_at;status;payout;comment\r\ns1;2026-11-20;sold;1;a,b,c\r\n'],
  [
    'a byte order mark and a comma',
    '\uFEFFsep=,\nexternal_id,created_at,status,payout\ns2,2026-11-20,sold,1\n',
  ],
  ['a tab', 'SEP=\t\nexternal_id\tcreated_at\tstatus\tpayout\ns3\t2026-11-20\tsold\t1\n'],
  ['a vertical bar', 'sep=|\rexternal_id|created_at|status|payout\rs4|2026-11-20|sold|1\r'],
])('a csv file whose first line names %s as its delimiter is imported', async (_what, content) => {
  const answer = await importLeads(content)
  expect(answer.json()).toEqual({ imported: 1, updated: 0, unchanged: 0, skipped: 0, errors: [] })
})

test('an empty csv file that only names its delimiter is refused', async () => {
  const answer = await importLeads('sep=;\n')
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({ errors: [{ code: 'file_empty' }] })
})
