import type { UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildWorkbook } from '../../../test/archives.ts'
import { sendFile } from '../../../test/files.ts'
import { importParcels, listParcels } from '../../../test/parcel.ts'
import { createUser } from '../../../test/people.ts'

let product: Product
let admin: Session
let aziz: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
})

afterAll(() => product.close())

const importLines = (...lines: string[]) => importParcels(product.app, admin, lines)

const list = (as: Session, query: string) => listParcels(product.app, as, query)
const find = async (orderno: string) => (await list(admin, `orderno=${orderno}`))[0]

const item = { name: null, code: null, article: null, barcode: null, quantity: 1, weight: null, price: null }

describe('Imports', () => {
  const head =
    'orderno,date,cod_amount,pay_type,declared_value,items,courier_code,courier_name,courier_phone,status,event_time'

  test('an import stores the payment, the courier and the items, in the list and in the detail', async () => {
    const line = 'I1,2026-11-20,"1 250 000,50",наличные,1300000,Чайник × 2; Кружка,17,Жасур,+998901112233'
    expect(await importLines(head, `${line},DELIVERY,2026-11-20 10:00`)).toMatchObject({
      imported: 1,
      errors: [],
    })
    const expected = {
      cod_amount: 1_250_000.5,
      pay_type: 'CASH',
      declared_value: 1_300_000,
      currency: 'UZS',
      courier: { code: '17', name: 'Жасур', phone: '+998901112233' },
      items: [
        { ...item, name: 'Чайник', quantity: 2 },
        { ...item, name: 'Кружка' },
      ],
      settled_at: null,
    }
    const parcel = await find('I1')
    expect(parcel).toMatchObject(expected)
    const detail = await callApi(product.app, admin, 'GET', `/api/parcel/parcels/${parcel?.id}`)
    expect(detail.json()).toMatchObject(expected)
    expect(await importLines(head, `${line},DELIVERY,2026-11-20 10:00`)).toMatchObject({ unchanged: 1 })
  })

  test('a later event without the payment leaves the stored payment, and one with another replaces it', async () => {
    await importLines(head, 'I2,2026-11-20,100,CASH,200,Чайник,17,Жасур,1,NEW,2026-11-20 10:00')
    await importLines('orderno,status,event_time', 'I2,DELIVERY,2026-11-21 10:00')
    expect(await find('I2')).toMatchObject({
      cod_amount: 100,
      pay_type: 'CASH',
      declared_value: 200,
      courier: { code: '17' },
      items: [{ name: 'Чайник' }],
    })
    await importLines('orderno,cod_amount,items,event_time', 'I2,0,Кружка,2026-11-22 10:00')
    expect(await find('I2')).toMatchObject({ cod_amount: 0, pay_type: 'CASH', items: [{ name: 'Кружка' }] })
  })

  test('a parcel without a payment has empty values', async () => {
    await importLines('orderno,date', 'I3,2026-11-20')
    expect(await find('I3')).toMatchObject({
      cod_amount: null,
      pay_type: null,
      declared_value: null,
      courier: { code: null, name: null, phone: null },
      items: [],
    })
  })

  test('a bad payment in a file of parcels is an error of its row', async () => {
    const itemsText = Array.from({ length: 31 }, (_, n) => `Item ${n}`).join('; ')
    const answer = await importLines(
      'orderno,date,cod_amount,pay_type,declared_value,items',
      'B1,2026-11-20,много,,,',
      'B2,2026-11-20,-5,,,',
      'B3,2026-11-20,1.005,,,',
      'B4,2026-11-20,12345678901234,,,',
      'B5,2026-11-20,,бартер,,',
      'B6,2026-11-20,,,1.234,',
      `B7,2026-11-20,,,,${itemsText}`,
      `B8,2026-11-20,,,,${'x'.repeat(256)}`,
      'B9,2026-11-20,,,,Чайник * 1234567890',
      'B10,2026-11-20,5,Card,6,Чайник',
    )
    expect(answer).toMatchObject({ imported: 1, skipped: 9 })
    expect(answer.errors.map(({ row, field, code }) => `${row} ${field} ${code}`)).toEqual([
      '1 cod_amount not_a_number',
      '2 cod_amount number_negative',
      '3 cod_amount more_decimals',
      '4 cod_amount number_too_large',
      '5 pay_type unknown_pay_type',
      '6 declared_value more_decimals',
      '7 items too_many_entries',
      '8 items longer_than',
      '9 items number_too_large',
    ])
  })

  test.each([
    ['CASH', 'naqd'],
    ['CARD', 'Картой'],
    ['NO', "to'langan"],
    ['OTHER', 'Прочее'],
    ['OPTION', 'option'],
  ])('the pay type %s is also written %o', async (type, text) => {
    await importLines('orderno,date,pay_type', `T-${type},2026-11-20,${text}`)
    expect(await find(`T-${type}`)).toMatchObject({ pay_type: type })
  })

  test('a name with a sign before no number is the name of one piece', async () => {
    await importLines('orderno,date,items', 'N1,2026-11-20,Болт 5*40 мм;*3; Шайба*12')
    expect((await find('N1'))?.items.map(({ name, quantity }) => `${name}: ${quantity}`)).toEqual([
      'Болт 5*40 мм: 1',
      '*3: 1',
      'Шайба: 12',
    ])
  })
})

test.each([
  ['English', ['Order No', 'COD', 'Payment method', 'Declared value', 'Items']],
  ['Russian', ['Номер заказа', 'Сумма, сум', 'Способ оплаты', 'Объявленная ценность', 'Товары']],
  ['Uzbek', ['Buyurtma raqami', "To'lov summasi", "To'lov turi", "E'lon qilingan qiymat", 'Mahsulotlar']],
  [
    'Uzbek in Cyrillic',
    ['Буюртма рақами', 'Тўлов суммаси', 'Тўлов тури', 'Эълон қилинган қиймат', 'Маҳсулотлар'],
  ],
])(
  'an order file has the payment and the items under %s headings, and no courier',
  async (language, headings) => {
    const cells = (values: readonly string[]) =>
      Object.fromEntries(values.map((value, index) => [String.fromCodePoint(65 + index), value]))
    const content = buildWorkbook([
      [1, cells([...headings, 'Courier'])],
      [2, cells([`F-${language}`, '250 000', 'CASH', '300000.25', 'Чайник', 'Somebody'])],
      [3, cells([`G-${language}`, 'много', 'CASH', '1', 'Чайник', 'Somebody'])],
    ])
    const answer = await sendFile(product.app, aziz, '/api/parcel/files/upload/', { name: 'o.xlsx', content })
    expect(answer.json<UploadAnswer>()).toMatchObject({
      imported: 1,
      skipped: 1,
      errors: [{ row: 2, field: 'cod_amount', code: 'not_a_number' }],
    })
    expect(await list(aziz, `orderno=${encodeURIComponent(`F-${language}`)}&sort=-id`)).toMatchObject([
      {
        cod_amount: 250_000,
        pay_type: 'CASH',
        declared_value: 300_000.25,
        items: [{ name: 'Чайник' }],
        courier: { name: null },
      },
    ])
  },
)
