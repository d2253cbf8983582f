import type { Page } from '@karvon/contract/kit/page.ts'
import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import type { Upload, UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migratedTo, startTelegram, type TelegramStandIn } from '../../../stand-ins/src/telegram.ts'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../test/app.ts'
import { archive, pdf, sheetXml, workbookParts, wordDocument } from '../../test/archives.ts'
import { compound, xls } from '../../test/compound.ts'
import { sendFile } from '../../test/files.ts'
import { createUser } from '../../test/people.ts'

const chat = '-100123'
let telegram: TelegramStandIn
let product: Product
let admin: Signed
let aziz: Signed

beforeAll(async () => {
  telegram = await startTelegram('1:token')
  product = await createTestApp({
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_CHAT: chat,
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  aziz = await createUser(product.app, admin, 'aziz')
})

afterAll(async () => {
  await product.close()
  await telegram.close()
})

beforeEach(() => {
  telegram.mode = 'ok'
})

const upload = (name: string, content: Buffer | string, fields: Record<string, string> = {}, as = aziz) =>
  sendFile(product.app, as, '/api/parcel/files/upload/', { name, content }, fields)

async function uploads(query = ''): Promise<Page<Upload>> {
  return (await ask(product.app, admin, 'GET', `/api/admin/uploads/?${query}`)).json()
}

const orders = (rows: readonly [number, Record<string, string>][]) => archive(workbookParts(sheetXml(rows)))
const parcelsOf = async (as: Signed, query = '') =>
  (await ask(product.app, as, 'GET', `/api/parcel/parcels/all?${query}`)).json<Page<Parcel>>()

describe('a file on its way to Telegram', () => {
  test('arrives under its own name with who sent it and why', async () => {
    const answer = await upload('накладная № 5.pdf', pdf(), { description: ' на завтра ' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      sent_to_telegram: true,
      message: 'Файл успешно загружен и отправлен в Telegram',
    })
    expect(telegram.sent.at(-1)).toEqual({
      chat,
      caption: 'aziz (aziz)\nна завтра',
      name: 'накладная № 5.pdf',
      size: pdf().length,
    })
    const { items } = await uploads()
    expect(items[0]).toMatchObject({
      name: 'накладная № 5.pdf',
      status: 'sent',
      attempts: 1,
      last_error: null,
    })
  })

  test.each([
    ['slow_down', 'queued', 'Telegram просит подождать 7 с, отправим позже', 'Too many requests: wait 7 s'],
    [
      'kicked',
      'refused',
      'Telegram не принимает файлы, сообщите администратору',
      'kicked from the group chat',
    ],
    ['no_chat', 'refused', 'Telegram не принимает файлы, сообщите администратору', 'chat not found'],
    ['broken', 'queued', 'Telegram не отвечает, отправим позже', 'Telegram answered 500'],
    ['garbage', 'queued', 'Telegram не отвечает, отправим позже', 'Telegram answered 502'],
    ['reset', 'queued', 'Telegram не отвечает, отправим позже', 'could not be reached'],
  ] as const)('is kept when Telegram is %s', async (mode, status, message, error) => {
    telegram.mode = mode
    const answer = await upload(`${mode}.pdf`, pdf())
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ sent_to_telegram: false, message })
    const { items } = await uploads(`status=${status}&search=${mode}`)
    expect(items).toMatchObject([{ name: `${mode}.pdf`, status, attempts: 1 }])
    expect(items[0]?.last_error).toContain(error)
    expect(items[0]?.last_error).not.toContain('1:token')
  })

  test('is answered within 4 s when Telegram hangs', async () => {
    telegram.mode = 'hang'
    const started = performance.now()
    const answer = await upload('hang.pdf', pdf())
    expect(performance.now() - started).toBeLessThan(4000)
    expect(answer.json()).toMatchObject({
      sent_to_telegram: false,
      message: 'Telegram не отвечает, отправим позже',
    })
  })

  test('follows a group to its new chat', async () => {
    telegram.mode = 'migrated'
    expect((await upload('moved.pdf', pdf())).json()).toMatchObject({ sent_to_telegram: true })
    const calls = telegram.calls
    expect((await upload('moved again.pdf', pdf())).json()).toMatchObject({ sent_to_telegram: true })
    expect(telegram.sent.at(-1)?.chat).toBe(String(migratedTo))
    expect(telegram.calls - calls).toBe(1)
  })
})

describe('what is not taken', () => {
  test.each([
    ['an empty file', 'a.pdf', '', 422, 'The file is empty.'],
    ['another extension', 'a.exe', pdf(), 415, 'pdf, xlsx, xls, doc, docx'],
    ['no extension', 'orders', pdf(), 415, 'pdf, xlsx, xls, doc, docx'],
    ['csv', 'a.csv', 'orderno\n1\n', 415, 'pdf, xlsx, xls, doc, docx'],
    ['text that says it is pdf', 'a.pdf', 'hello', 415, 'content'],
    ['pdf that says it is xlsx', 'a.xlsx', pdf(), 415, 'content'],
    ['docx that says it is xlsx', 'a.xlsx', wordDocument(), 415, 'content'],
    ['xlsx that says it is docx', 'a.docx', orders([]), 415, 'content'],
    ['xls that says it is doc', 'a.doc', xls([['a']]), 415, 'content'],
    [
      'a Word document that says it is xls',
      'a.xls',
      compound('WordDocument', Buffer.alloc(0)),
      415,
      'content',
    ],
    ['a locked workbook', 'a.xlsx', compound('EncryptedPackage', Buffer.alloc(0)), 415, 'password'],
    ['a zip cut short', 'a.xlsx', orders([[1, { A: 'orderno' }]]).subarray(0, 400), 415, 'damaged'],
    ['a compound file cut short', 'a.xls', xls([['a']]).subarray(0, 700), 415, 'damaged'],
    [
      'zeroes after the magic',
      'a.doc',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4000)]),
      415,
      '',
    ],
  ] as const)('%s', async (_what, name, content, status, detail) => {
    const before = (await uploads()).meta.total
    const answer = await upload(name, content)
    expect(answer.statusCode).toBe(status)
    expect(answer.json<{ detail: string }>().detail).toContain(detail)
    expect((await uploads()).meta.total).toBe(before)
  })

  test('no file, too long a description, nobody', async () => {
    expect((await sendFile(product.app, aziz, '/api/parcel/files/upload', null)).statusCode).toBe(422)
    expect((await upload('a.pdf', pdf(), { description: 'x'.repeat(1001) })).statusCode).toBe(422)
    expect((await upload('a.pdf', pdf(), { description: 'x'.repeat(1000) })).statusCode).toBe(200)
    expect(
      (await sendFile(product.app, null, '/api/parcel/files/upload/', { name: 'a.pdf', content: pdf() }))
        .statusCode,
    ).toBe(401)
  })

  test('more than the limit', async () => {
    const large = Buffer.concat([pdf(), Buffer.alloc(20 * 1024 * 1024)])
    const answer = await upload('large.pdf', large)
    expect(answer.statusCode).toBe(413)
    expect(answer.json<{ detail: string }>().detail).toContain('20 MB')
  })
})

describe('the stored original', () => {
  test('comes back byte by byte, as an attachment only, to admins only', async () => {
    const content = Buffer.concat([pdf(), Buffer.from([0, 255, 13, 10])])
    const { id } = (await upload('../../etc/пароль "x".pdf', content)).json<UploadAnswer>()
    const url = `/api/admin/uploads/${id}/file`
    const answer = await ask(product.app, admin, 'GET', url)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(content)).toBe(true)
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="[ -~]+"; filename\*=UTF-8''%D0%BF/,
    )
    expect(answer.headers['content-disposition']).not.toContain('..')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-type']).toBe('application/octet-stream')
    expect((await ask(product.app, aziz, 'GET', url)).statusCode).toBe(403)
    expect((await ask(product.app, admin, 'GET', '/api/admin/uploads/999999/file')).statusCode).toBe(404)
  })
})

describe('an order file', () => {
  test('becomes parcels of who sent it, good rows whatever the bad ones, and once', async () => {
    const file = orders([
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
    expect(answer).toMatchObject({ sent_to_telegram: true, imported: 2, skipped: 3 })
    expect(answer.errors).toEqual([
      { row: 2, field: 'orderno', message: 'orderno is required' },
      { row: 3, field: 'weight', message: 'weight is not a number' },
      { row: 6, field: 'orderno', message: 'orderno stands in the file twice' },
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
  ])('is recognised in %s, in the old format too', async (language, headings) => {
    const sent = await upload(
      `${language}.xls`,
      xls([headings, [`XLS-${language}`, 'Бобур', 2.5], [null], [4780012345671, 'Севара', 0.1]]),
    )
    const second = language === 'English' ? 1 : 0
    expect(sent.json()).toMatchObject({ imported: 1 + second, errors: [] })
    const { items } = await parcelsOf(aziz, `search=${encodeURIComponent(`XLS-${language}`)}`)
    expect(items.filter(({ orderno }) => orderno === `XLS-${language}`)).toMatchObject([
      { receiver: { person: 'Бобур' }, package: { weight: 2.5 } },
    ])
  })

  test('numbers its own: another person may have the same order number, and sees nothing of it', async () => {
    const malika = await createUser(product.app, admin, 'malika')
    const file = orders([
      [1, { A: 'orderno', B: 'person' }],
      [2, { A: 'EX-1', B: 'Other' }],
    ])
    expect((await upload('o.xlsx', file, {}, malika)).json()).toMatchObject({ imported: 1 })
    const [own] = (await parcelsOf(malika)).items
    expect((await parcelsOf(malika)).meta.total).toBe(1)
    expect((await ask(product.app, malika, 'GET', `/api/parcel/parcels/${own?.id}`)).statusCode).toBe(200)
    expect((await ask(product.app, aziz, 'GET', `/api/parcel/parcels/${own?.id}`)).statusCode).toBe(404)
    expect((await ask(product.app, admin, 'GET', `/api/parcel/parcels/${own?.id}`)).statusCode).toBe(200)
  })

  test('a workbook of something else is a document like any other', async () => {
    const answer = await upload(
      'prices.xlsx',
      orders([
        [1, { A: 'Number' }],
        [2, { A: '1' }],
      ]),
    )
    expect(answer.json()).not.toHaveProperty('imported')
  })
})
