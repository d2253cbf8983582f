import { randomUUID } from 'node:crypto'
import { writeXlsx } from 'hucre'
import { maxActs } from '@karvon/contract/lib/limits.ts'
import type { SettlementAct, SettlementLine } from '@karvon/contract/settlements/settlements.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, createTestAppOn, signInAdmin } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import {
  createSettlementFixture,
  dayAgo,
  readOpenDifferences,
  readVersions,
  type SettlementFixture,
} from '../../../test/settlements.ts'

let fixture: SettlementFixture

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
beforeEach(async () => {
  fixture.courier.acts = new Map()
  for (const table of ['settlement_differences', 'settlement_lines', 'settlement_acts', 'parcels'])
    await fixture.query(`delete from ${table}`)
  await fixture.addParcels(
    fixture.azizId,
    ['a', 'b'].map((orderno) => ({ orderno, cash: 100_000 })),
  )
})
afterAll(() => fixture.close())

const url = '/api/admin/settlements/import/'
const send = (content: string | Buffer, name = 'acts.csv', fields: Record<string, string> = {}) =>
  sendFile(
    fixture.product.app,
    fixture.admin,
    url,
    { name, content },
    { courier_account_id: String(fixture.account), ...fields },
  )
const read = async <Row>(path: string) =>
  (await callApi(fixture.product.app, fixture.admin, 'GET', path)).json<{ items: Row[] }>().items
const readActs = () => read<SettlementAct>('/api/admin/settlements/?sort=number')

const heading =
  'Номер акта;Дата акта;Дата оплаты;Номер заказа;Получено;Стоимость доставки;Кассовое обслуживание'
const csv = [
  heading,
  `17;${dayAgo(9)};;a;100 000,00;20000;1500`,
  `18;${dayAgo(8)};${dayAgo(7)};b;99000;20000;1500`,
].join('\n')

test('a file with Russian headings becomes acts that are matched, and another import changes no row', async () => {
  expect((await send(csv)).json()).toEqual({ imported: 2, updated: 0, unchanged: 0, skipped: 0, errors: [] })
  expect(await readActs()).toMatchObject([
    {
      number: '17',
      code: null,
      act_date: dayAgo(9),
      paid_at: null,
      collected: 100_000,
      fees: 21_500,
      due: 78_500,
    },
    { number: '18', paid_at: dayAgo(7), due: 77_500, paid: 77_500, differences: 1 },
  ])
  expect(await readOpenDifferences(fixture)).toEqual(['b amount'])
  const before = await readVersions(fixture)
  expect((await send(csv)).json()).toMatchObject({ imported: 0, updated: 0, unchanged: 2 })
  expect(await readVersions(fixture)).toBe(before)
})

test('a workbook with English headings is read, with fees and due that follow from the others', async () => {
  const bytes = await writeXlsx({
    sheets: [
      {
        name: 'Acts',
        rows: [
          ['Act', 'Act date', 'Order', 'Collected', 'Fee', 'Delivery fee'],
          [5, dayAgo(3), 'a', 100_000.5, 21_500, 20_000],
        ],
      },
    ],
  })
  expect((await send(Buffer.from(bytes), 'acts.xlsx')).json()).toMatchObject({ imported: 1, skipped: 0 })
  const [act] = await readActs()
  expect(await read<SettlementLine>(`/api/admin/settlements/${act?.id}/lines/`)).toMatchObject([
    {
      orderno: 'a',
      parcel_id: expect.any(Number),
      collected: 100_000.5,
      delivery_fee: 20_000,
      cash_fee: 1500,
      fee: 21_500,
      due: 78_500.5,
      differences: ['amount'],
    },
  ])
})

test.each([
  ['a comma', ','],
  ['a tab', '\t'],
])(
  'a file of acts with %s between the columns has decimals with a comma and spaces between thousands',
  async (_, separator) => {
    const rows = [
      ['act', 'act date', 'order', 'collected', 'fee'],
      ['1', dayAgo(3), 'a', '"100 000,50"', '"21\u00a0500,25"'],
      ['1', dayAgo(3), 'b', '-1000.5', '0'],
    ]
    const content = rows.map((cells) => cells.join(separator)).join('\r\n')
    expect((await send(content)).json()).toMatchObject({ imported: 2, skipped: 0, errors: [] })
    expect(await readActs()).toMatchObject([{ collected: 99_000, fees: 21_500.25, due: 77_499.75 }])
  },
)

test('an imported file has a limit of acts, and an act whose sum is too large is refused as a value', async () => {
  const head = 'act,act date,order,collected'
  const actLines = Array.from(
    { length: maxActs + 1 },
    (_, n) => `${n},${dayAgo(3)},a,${n < maxActs ? 'x' : '1'}`,
  )
  const answer = await send([head, ...actLines].join('\n'))
  expect(answer.json()).toMatchObject({ imported: 0, skipped: maxActs + 1 })
  const file = [head, ...actLines.slice(-1), ...actLines.slice(0, maxActs - 1)].join('\n')
  expect((await send(file)).json()).toMatchObject({ imported: 1, skipped: maxActs - 1 })
  const huge = Array.from({ length: 1100 }, (_, n) => `h,${dayAgo(3)},h-${n},9999999999999`)
  const refusal = await send([head, ...huge].join('\n'))
  expect([refusal.statusCode, refusal.json<{ code: string }>().code]).toEqual([422, 'value_unfit'])
})

test('an act with a wrong row is not stored, and a row without an act is skipped', async () => {
  const answer = await send(`${csv}\n17;${dayAgo(9)};;x;much;1;1\nИтого;;;;199000;;`)
  expect(answer.json()).toMatchObject({ imported: 1, skipped: 3 })
  expect(answer.json<{ errors: object[] }>().errors).toMatchObject([
    { row: 3, field: 'collected', code: 'not_a_number' },
    { row: 4, field: 'act_date' },
    { row: 4, field: 'orderno' },
  ])
  expect(await readActs()).toMatchObject([{ number: '18' }])
})

test('a row of totals is no line of an act', async () => {
  const rows = [`17;${dayAgo(9)};;Итого:;300000;0;0`, ';;;Всего по актам;300000;0;0']
  const answer = await send([csv, ...rows].join('\n'))
  expect(answer.json<{ errors: object[] }>().errors).toMatchObject([
    { row: 3, field: 'orderno', code: 'total_row' },
    { row: 4, field: 'orderno', code: 'total_row' },
  ])
  expect(await readActs()).toMatchObject([
    { number: '17', lines: 1 },
    { number: '18', lines: 1 },
  ])
})

test('an order without the number or the day of its act leaves each act that it can belong to unchanged', async () => {
  await send(csv)
  const order = ';;c;99000;20000;1500'
  const rows = [
    { row: `17;31.02.2026${order}`, changed: ['18'] },
    { row: `17;${order}`, changed: ['18'] },
    { row: `;${dayAgo(8)}${order}`, changed: ['17'] },
    { row: `;${order}`, changed: [] },
  ]
  for (const [index, { row, changed }] of rows.entries()) {
    const collected = index + 1
    const acts = [`17;${dayAgo(9)};;a;${collected};0;0`, `18;${dayAgo(8)};;b;${collected};0;0`]
    await send([heading, row, ...acts].join('\n'))
    const changedActs = (await readActs()).filter((act) => act.collected === collected)
    expect(
      changedActs.map(({ number }) => number),
      row,
    ).toEqual(changed)
  }
})

test('an act with two days of payment is not stored', async () => {
  const acts = [
    `17;${dayAgo(9)};${dayAgo(8)};a;1;0;0`,
    `17;${dayAgo(9)};${dayAgo(7)};b;1;0;0`,
    `18;${dayAgo(9)};;c;1;0;0`,
  ]
  const answer = await send([heading, ...acts].join('\n'))
  expect(answer.json<{ errors: object[] }>().errors).toMatchObject([
    { row: 2, field: 'paid_at', message: 'paid_at differs from an earlier row of the act' },
  ])
  expect(await readActs()).toMatchObject([{ number: '18' }])
})

test('an act or a payment in the future is refused', async () => {
  const acts = [`17;2199-01-01;;a;1;0;0`, `18;${dayAgo(8)};2199-01-01;b;1;0;0`]
  const answer = await send([heading, ...acts].join('\n'))
  expect(answer.json<{ errors: object[] }>().errors).toMatchObject([
    { row: 1, field: 'act_date', code: 'time_in_future' },
    { row: 2, field: 'paid_at', code: 'time_in_future' },
  ])
  expect(await readActs()).toEqual([])
})

test('an imported act is the same as the fetched one with its number and day', async () => {
  await send(csv)
  const line = { code: '1', orderno: 'a', rur: '100000.00', pricekur: '20000.00', priceag: '1500.00' }
  fixture.courier.acts?.set('c17', { code: 'c17', number: '17', actdate: dayAgo(9), lines: [line] })
  await fixture.fetchActs()
  expect(await readActs()).toMatchObject([{ number: '17', code: 'c17', lines: 1 }, { number: '18' }])
  expect(await readOpenDifferences(fixture)).toEqual(['b amount'])
  await send(csv)
  expect(await readActs()).toMatchObject([{ number: '17', code: 'c17', lines: 1 }, { number: '18' }])
})

test('an import of acts has its progress and its audit entry, and refuses an unknown account and other files', async () => {
  const key = randomUUID()
  await send(csv, 'acts.csv', { key })
  const progress = await callApi(fixture.product.app, fixture.admin, 'GET', `/api/admin/imports/${key}/`)
  expect(progress.json()).toMatchObject({ kind: 'settlement-acts', status: 'done', imported: 2, skipped: 0 })
  const audit = await read<object>('/api/admin/audit/?resource=settlement-acts&per_page=1')
  expect(audit).toMatchObject([
    { action: 'import', new_values: { courier_account_id: fixture.account, imported: 2 } },
  ])
  for (const courier_account_id of ['', 'x', '999999'])
    expect((await send(csv, 'acts.csv', { courier_account_id })).json()).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'courier_account_id' }],
    })
  expect((await send(csv, 'acts.pdf')).statusCode).toBe(415)
  expect((await send('orderno,collected\na,1\n')).statusCode).toBe(422)
})

test('a file may name its columns as the lists of acts and lines do, and acts, lines and differences are found by each', async () => {
  const file = [
    'number,act_date,paid_at,orderno,collected,fee,due',
    `17,${dayAgo(9)},${dayAgo(7)},a,100000,21500,78500`,
    `18,${dayAgo(8)},,b,99000.5,21500,77500.5`,
  ]
  expect((await send(file.join('\n'))).json()).toMatchObject({ imported: 2, skipped: 0 })
  const numbers = async (query: string) =>
    (await read<SettlementAct>(`/api/admin/settlements/?sort=courier_account_id&${query}`)).map(
      (act) => act.number,
    )
  for (const query of ['number=18', `act_date=${dayAgo(8)}`, 'collected=99000.5', 'due=77500.5'])
    expect(await numbers(query), query).toEqual(['18'])
  expect(await numbers(`paid_at=${dayAgo(7)}`)).toEqual(['17'])
  expect(await numbers('fees=21500')).toEqual(['17', '18'])
  expect(await numbers('fees=1')).toEqual([])
  const act = (await readActs()).at(-1)
  const lines = async (query: string) =>
    (await read<SettlementLine>(`/api/admin/settlements/${act?.id}/lines/?sort=-fee&${query}`)).map(
      (line) => line.orderno,
    )
  const [line] = await read<SettlementLine>(`/api/admin/settlements/${act?.id}/lines/`)
  for (const query of [
    'orderno=b',
    'collected=99000.5',
    'fee=21500',
    'due=77500.5',
    `parcel_id=${line?.parcel_id}`,
  ])
    expect(await lines(query), query).toEqual(['b'])
  for (const query of ['orderno=a', 'collected=1', 'fee=1', 'due=1', 'parcel_id=999999'])
    expect(await lines(query), query).toEqual([])
  const differences = async (query: string) =>
    (await read<{ kind: string }>(`/api/admin/settlement-differences/?sort=kind&${query}`)).map(
      ({ kind }) => kind,
    )
  expect(await differences('orderno=b')).toEqual(['amount'])
  expect(await differences('orderno=a')).toEqual([])
})

test('a column with the number of the row does not replace the number of the act', async () => {
  const file = ['number,act_number,act_date,orderno,collected', `1,A-17,${dayAgo(9)},a,100000`]
  expect((await send(file.join('\n'))).json()).toMatchObject({ imported: 1 })
  expect(await readActs()).toMatchObject([{ number: 'A-17' }])
})

test('an act keeps its currency when the installation gets another one, as its entries do', async () => {
  await send(csv)
  const { app, close } = await createTestAppOn(fixture.product.databaseUrl, { KARVON_CURRENCY: 'USD' })
  const admin = await signInAdmin(app)
  for (const [session, path] of [
    [admin, '/api/admin/settlements/'],
    [admin, '/api/admin/settlement-differences/'],
    [fixture.aziz, '/api/user/settlements/'],
  ] as const) {
    const { items } = (await callApi(app, session, 'GET', path)).json<{ items: { currency: string }[] }>()
    expect(items.map(({ currency }) => currency).slice(0, 1), path).toEqual(['UZS'])
  }
  await close()
})
