import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OrderPreview, UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../../test/app.ts'
import { archive, pdf, sheetXml, workbookParts } from '../../../test/archives.ts'
import { compound, xls } from '../../../test/compound.ts'
import { sendFile } from '../../../test/files.ts'
import { createUser } from '../../../test/people.ts'

let product: Product
let admin: Signed
let aziz: Signed

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  aziz = await createUser(product.app, admin, 'aziz')
})

afterAll(() => product.close())

const send = (call: 'preview' | 'upload', name: string, content: Buffer | string, as: Signed | null = aziz) =>
  sendFile(product.app, as, `/api/parcel/files/${call}/`, { name, content })

const orders = archive(
  workbookParts(
    sheetXml([
      [1, { A: 'Заявка' }],
      [2, { A: 'Buyurtma raqami', B: 'Получатель', C: 'Примечание', D: 'Оғирлиги, кг', E: 'Клиент' }],
      ...Array.from({ length: 14 }, (_, i): [number, Record<string, string>] => [
        i + 3,
        { A: i === 4 ? '' : `P-${i}`, B: 'Азиза', C: 'x', D: i === 12 ? 'много' : '1,5', E: 'y' },
      ]),
    ]),
  ),
)

describe('a preview', () => {
  test('shows which heading is which column, the first rows, and what is wrong anywhere', async () => {
    const answer = await send('preview', 'заказы.xlsx', orders)
    expect(answer.statusCode, answer.body).toBe(200)
    const preview = answer.json<OrderPreview>()
    expect(preview).toMatchObject({
      recognised: [
        { heading: 'Buyurtma raqami', column: 'orderno' },
        { heading: 'Получатель', column: 'person' },
        { heading: 'Оғирлиги, кг', column: 'weight' },
      ],
      unrecognised: ['Примечание', 'Клиент'],
      total: 14,
      skipped: 2,
      errors: [
        { row: 5, field: 'orderno', message: 'orderno is required' },
        { row: 13, field: 'weight', message: 'weight is not a number' },
      ],
    })
    expect(preview.rows).toHaveLength(10)
    expect(preview.rows.slice(3, 5)).toEqual([
      { row: 4, values: { orderno: 'P-3', person: 'Азиза', weight: '1,5' } },
      { row: 5, values: { orderno: '', person: 'Азиза', weight: '1,5' } },
    ])
  })

  test('stores nothing, and promises what the upload then does', async () => {
    const { total, errors } = (await send('preview', 'заказы.xlsx', orders)).json<OrderPreview>()
    const folder = product.deps.config.dataFolder
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
    expect(await readdir(folder)).not.toContain('files')
    const list = await ask(product.app, admin, 'GET', '/api/admin/uploads/')
    expect(list.json()).toMatchObject({ meta: { total: 0 } })
    const imported = (await send('upload', 'заказы.xlsx', orders)).json<UploadAnswer>()
    expect(imported).toMatchObject({ imported: total - errors.length, skipped: errors.length, errors })
  })

  test.each([
    ['a document', 'a.pdf', pdf()],
    [
      'a workbook of something else',
      'a.xls',
      xls([
        ['Number', 'Price'],
        ['1', '2'],
      ]),
    ],
  ])('recognises nothing in %s', async (_what, name, content) => {
    const nothing = { recognised: [], unrecognised: [], rows: [], total: 0, skipped: 0, errors: [] }
    expect((await send('preview', name, content)).json()).toEqual(nothing)
  })

  test('says why a workbook cannot be read', async () => {
    const broken = archive([{ name: '[Content_Types].xml' }, { name: 'xl/workbook.xml', content: '<x' }])
    const preview = (await send('preview', 'a.xlsx', broken)).json<OrderPreview>()
    expect(preview).toMatchObject({ total: 0, errors: [{ row: 0, field: 'file' }] })
  })

  test('is refused as the upload is', async () => {
    for (const [name, content, status] of [
      ['a.pdf', '', 422],
      ['a.csv', 'orderno', 415],
      ['a.xlsx', pdf(), 415],
      ['a.xls', compound('Garbage', Buffer.alloc(600)), 415],
      ['a.pdf', Buffer.concat([pdf(), Buffer.alloc(20 * 1024 * 1024)]), 413],
    ] as const) {
      for (const call of ['preview', 'upload'] as const)
        expect((await send(call, name, content)).statusCode, `${call} of ${name}`).toBe(status)
    }
    expect((await send('preview', 'a.pdf', pdf(), null)).statusCode).toBe(401)
  })
})
