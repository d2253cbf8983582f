import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import type { UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildWorkbook } from '../../../test/archives.ts'
import { buildXls } from '../../../test/compound-file.ts'
import { sendFile } from '../../../test/files.ts'
import { createUser } from '../../../test/people.ts'
import { importOrders } from '../parcels/parcels.orders.ts'

let product: Product
let admin: Session
let aziz: Session

beforeAll(async () => {
  product = await createTestApp({}, { uploadAnswerTimeout: 60_000 })
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
})

afterAll(() => product.close())

const upload = (name: string, content: Buffer, as = aziz) =>
  sendFile(product.app, as, '/api/parcel/files/upload/', { name, content })

const parcelsOf = async (as: Session, query = '') =>
  (await callApi(product.app, as, 'GET', `/api/parcel/parcels/all?${query}`)).json<Page<Parcel>>()

describe('Order files', () => {
  test("an order file's good rows become parcels of the uploader once, and its bad rows are reported", async () => {
    const file = buildWorkbook([
      [1, { A: 'Заявка на доставку' }],
      [
        3,
        {
          A: '№ заказа',
          B: 'Получатель',
          C: 'Телефон',
          D: 'Город',
          E: 'Вес, кг',
          F: 'Доставка, сум',
          G: 'Дата',
        },
      ],
      [
        4,
        {
          A: 'EX-1',
          B: 'Азиза Юсупова',
          C: '+998 90 123-45-67',
          D: 'Ташкент',
          E: '1,25',
          F: '38 000',
          G: '21.11.2026',
        },
      ],
      [5, { A: '', B: 'Без номера' }],
      [6, { A: 'EX-2', E: 'много' }],
      [8, { A: 'EX-3', B: "Malika To'xtayeva", F: '52000.50' }],
      [9, { A: 'EX-1', B: 'Двойник' }],
    ])
    const answer = (await upload('заказы.xlsx', file)).json<UploadAnswer>()
    expect(answer).toMatchObject({ sent_to_telegram: false, imported: 2, skipped: 3 })
    expect(answer.errors).toMatchObject([
      { row: 2, field: 'orderno', message: 'orderno is required', code: 'required' },
      { row: 3, field: 'weight', message: 'weight is not a number' },
      { row: 6, field: 'orderno', message: 'orderno occurs twice in the file' },
    ])
    const { items } = await parcelsOf(aziz, 'sort=orderno')
    expect(items).toMatchObject([
      {
        orderno: 'EX-1',
        date: '2026-11-21',
        status: { code: 'PENDING', title: 'Новый' },
        package: { weight: 1.25, delivery_price: 38000 },
        receiver: { person: 'Азиза Юсупова', phone: '+998 90 123-45-67', town: 'Ташкент' },
        owner: { name: 'aziz' },
      },
      { orderno: 'EX-3', package: { weight: null, delivery_price: 52000.5 } },
    ])
    expect((await upload('заказы.xlsx', file)).json()).toMatchObject({ imported: 0, skipped: 5 })
    expect((await parcelsOf(aziz)).meta.total).toBe(2)
  })

  test.each([
    ['English', ['Order No', 'Person', 'Weight (kg)']],
    ['Uzbek', ['Buyurtma raqami', 'Qabul qiluvchi', 'Ogʻirligi (kg)']],
    ['Uzbek with an apostrophe', ['BUYURTMA RAQAMI', 'Mijoz', "Og'irligi"]],
    ['Uzbek in Cyrillic', ['Буюртма рақами', 'Қабул қилувчи', 'Оғирлиги, кг']],
    ['Russian', ['Номер заказа', 'ФИО получателя', 'Вес (кг)']],
  ])('an order file is recognised in %s, in the old xls format too', async (language, headings) => {
    const answer = await upload(
      `${language}.xls`,
      buildXls([headings, [`XLS-${language}`, 'Бобур', 2.5], [null], [4780012345671, 'Севара', 0.1]]),
    )
    const second = language === 'English' ? 1 : 0
    expect(answer.json()).toMatchObject({ imported: 1 + second, errors: [] })
    const { items } = await parcelsOf(aziz, `search=${encodeURIComponent(`XLS-${language}`)}`)
    expect(items.filter(({ orderno }) => orderno === `XLS-${language}`)).toMatchObject([
      { receiver: { person: 'Бобур' }, package: { weight: 2.5 } },
    ])
  })

  test('the columns of an order file with groups of headings are those of the second row', async () => {
    const buyer = await createUser(product.app, admin, 'groups')
    const file = buildWorkbook([
      [1, { A: '№ заказа', B: 'Получатель', E: 'Оплата' }],
      [2, { B: 'ФИО', C: 'Телефон', D: 'Адрес', E: 'Сумма' }],
      [3, { A: 'GR-1', B: 'Азиза Юсупова', C: '+998901234567', D: 'Навоий, 1', E: '150000' }],
      [4, { A: 'GR-2', B: 'Клиент', C: '', D: '', E: '0' }],
    ])
    const answer = (await upload('groups.xlsx', file, buyer)).json<UploadAnswer>()
    expect(answer).toMatchObject({ imported: 2, skipped: 0, errors: [] })
    const { items } = await parcelsOf(buyer, 'sort=orderno')
    expect(items).toMatchObject([
      {
        orderno: 'GR-1',
        receiver: { person: 'Азиза Юсупова', phone: '+998901234567', address: 'Навоий, 1' },
        cod_amount: 150_000,
      },
      { orderno: 'GR-2', receiver: { person: 'Клиент' } },
    ])
  })

  test('a row of totals becomes no parcel', async () => {
    const buyer = await createUser(product.app, admin, 'totals')
    const file = buildWorkbook([
      [1, { A: 'Номер заказа', B: 'Сумма' }],
      [2, { A: 'TOTAL-1', B: '100' }],
      [3, { A: 'Итоговый-2', B: '200' }],
      [4, { A: 'ИТОГО:', B: '300' }],
      [5, { A: 'Jami 2 ta', B: '300' }],
    ])
    const answer = (await upload('totals.xlsx', file, buyer)).json<UploadAnswer>()
    expect(answer).toMatchObject({ imported: 2, skipped: 2 })
    expect(answer.errors?.map(({ row, code }) => `${row} ${code}`)).toEqual(['3 total_row', '4 total_row'])
    const { items } = await parcelsOf(buyer, 'sort=orderno')
    expect(items.map(({ orderno }) => orderno).toSorted()).toEqual(['TOTAL-1', 'Итоговый-2'])
  })

  test('the same order number of another person is a separate parcel, invisible to others', async () => {
    const malika = await createUser(product.app, admin, 'malika')
    const file = buildWorkbook([
      [1, { A: 'orderno', B: 'person' }],
      [2, { A: 'EX-1', B: 'Other' }],
    ])
    expect((await upload('o.xlsx', file, malika)).json()).toMatchObject({ imported: 1 })
    const [ownParcel] = (await parcelsOf(malika)).items
    expect((await parcelsOf(malika)).meta.total).toBe(1)
    expect(
      (await callApi(product.app, malika, 'GET', `/api/parcel/parcels/${ownParcel?.id}`)).statusCode,
    ).toBe(200)
    expect((await callApi(product.app, aziz, 'GET', `/api/parcel/parcels/${ownParcel?.id}`)).statusCode).toBe(
      404,
    )
    expect(
      (await callApi(product.app, admin, 'GET', `/api/parcel/parcels/${ownParcel?.id}`)).statusCode,
    ).toBe(200)
  })

  test('an order file that takes too long says so, and continues when it is sent again', async () => {
    const path = join(tmpdir(), `orders-${process.pid}.xlsx`)
    const rows = Array.from({ length: 2500 }, (_, i): [number, Record<string, string>] => [
      i + 2,
      { A: `TIME-${i}`, B: 'x' },
    ])
    await writeFile(path, buildWorkbook([[1, { A: 'orderno', B: 'person' }], ...rows]))
    const owner = await product.deps.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'aziz')
      .executeTakeFirstOrThrow()
    const take = (deadline: number) =>
      importOrders(product.deps, {
        file: { path, extension: 'xlsx' },
        ownerId: owner.id,
        deadline,
        seconds: 20,
      })
    expect(await take(performance.now() - 1)).toMatchObject({
      imported: 0,
      skipped: 2500,
      errors: [
        {
          row: 0,
          field: 'file',
          message: 'There was no time left for 2500 orders: send the file again.',
        },
      ],
    })
    expect(await take(performance.now() + 60_000)).toEqual({ imported: 2500, skipped: 0, errors: [] })
    await rm(path)
  })

  test('a workbook without orders is stored as a document', async () => {
    const answer = await upload(
      'prices.xlsx',
      buildWorkbook([
        [1, { A: 'Number' }],
        [2, { A: '1' }],
      ]),
    )
    expect(answer.json()).not.toHaveProperty('imported')
  })
})
