import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OrderPreview, UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildArchive, buildPdf, buildWorkbook } from '../../../test/archives.ts'
import { buildCompoundFile, buildXls } from '../../../test/compound-file.ts'
import { sendFile } from '../../../test/files.ts'
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

const send = (
  call: 'preview' | 'upload',
  name: string,
  content: Buffer | string,
  as: Session | null = aziz,
) => sendFile(product.app, as, `/api/parcel/files/${call}/`, { name, content })

const orders = buildWorkbook([
  [1, { A: 'Заявка' }],
  [2, { A: 'Buyurtma raqami', B: 'Получатель', C: 'Примечание', D: 'Оғирлиги, кг', E: 'Клиент' }],
  ...Array.from({ length: 14 }, (_, i): [number, Record<string, string>] => [
    i + 3,
    { A: i === 4 ? '' : `P-${i}`, B: 'Азиза', C: 'x', D: i === 12 ? 'много' : '1,5', E: 'y' },
  ]),
])

describe('Order previews', () => {
  test('a preview shows the recognised columns, the first rows and all errors', async () => {
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
        { row: 13, field: 'weight', message: 'weight is not a number', code: 'not_a_number' },
      ],
    })
    expect(preview.rows).toHaveLength(10)
    expect(preview.rows.slice(3, 5)).toEqual([
      { row: 4, values: { orderno: 'P-3', person: 'Азиза', weight: '1,5' } },
      { row: 5, values: { orderno: '', person: 'Азиза', weight: '1,5' } },
    ])
  })

  test('a preview stores nothing, and its counts equal those of the upload', async () => {
    const { total, errors } = (await send('preview', 'заказы.xlsx', orders)).json<OrderPreview>()
    const folder = product.deps.config.dataFolder
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
    expect(await readdir(folder)).not.toContain('files')
    const list = await callApi(product.app, admin, 'GET', '/api/admin/uploads/')
    expect(list.json()).toMatchObject({ meta: { total: 0 } })
    const importAnswer = (await send('upload', 'заказы.xlsx', orders)).json<UploadAnswer>()
    expect(importAnswer).toMatchObject({ imported: total - errors.length, skipped: errors.length, errors })
  })

  test.each([
    ['a document', 'a.pdf', buildPdf()],
    [
      'a workbook of something else',
      'a.xls',
      buildXls([
        ['Number', 'Price'],
        ['1', '2'],
      ]),
    ],
  ])('a preview recognises nothing in %s', async (_what, name, content) => {
    const emptyPreview = { recognised: [], unrecognised: [], rows: [], total: 0, skipped: 0, errors: [] }
    expect((await send('preview', name, content)).json()).toEqual(emptyPreview)
  })

  test('a preview of an unreadable workbook shows an error of the file', async () => {
    const brokenWorkbook = buildArchive([
      { name: '[Content_Types].xml' },
      { name: 'xl/workbook.xml', content: '<x' },
    ])
    const preview = (await send('preview', 'a.xlsx', brokenWorkbook)).json<OrderPreview>()
    expect(preview).toMatchObject({ total: 0, errors: [{ row: 0, field: 'file' }] })
  })

  test('a preview is refused for the same reasons as the upload', async () => {
    for (const [name, content, status] of [
      ['a.pdf', '', 422],
      ['a.csv', 'orderno', 415],
      ['a.xlsx', buildPdf(), 415],
      ['a.xls', buildCompoundFile('Garbage', Buffer.alloc(600)), 415],
      ['a.pdf', Buffer.concat([buildPdf(), Buffer.alloc(20 * 1024 * 1024)]), 413],
    ] as const) {
      for (const call of ['preview', 'upload'] as const)
        expect((await send(call, name, content)).statusCode, `${call} of ${name}`).toBe(status)
    }
    expect((await send('preview', 'a.pdf', buildPdf(), null)).statusCode).toBe(401)
  })
})
