import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Upload, UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migratedChatId } from '@karvon/testkit/fakes/telegram.faults.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildPdf, buildWordDocument, buildWorkbook } from '../../../test/archives.ts'
import { buildCompoundFile, buildXls } from '../../../test/compound-file.ts'
import { sendFile } from '../../../test/files.ts'
import { createUser } from '../../../test/people.ts'
import { buildApp } from '../../app.ts'

const chat = '-100123'
let telegram: FakeTelegram
let product: Product
let admin: Session
let aziz: Session

beforeAll(async () => {
  telegram = await startTelegram('1:token')
  product = await createTestApp({
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_CHAT: chat,
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
})

afterAll(async () => {
  await product.close()
  await telegram.close()
})

beforeEach(async () => {
  telegram.mode = 'ok'
  await product.deps.pool.query('delete from telegram_chats')
})

const upload = (name: string, content: Buffer | string, fields: Record<string, string> = {}, as = aziz) =>
  sendFile(product.app, as, '/api/parcel/files/upload/', { name, content }, fields)

async function uploads(query = ''): Promise<Page<Upload>> {
  return (await callApi(product.app, admin, 'GET', `/api/admin/uploads/?${query}`)).json()
}

test('a very long file name is cut and keeps its extension', async () => {
  const answer = await upload(`${'н'.repeat(400)}.pdf`, buildPdf())
  expect(answer.statusCode).toBe(200)
  expect((await uploads()).items[0]?.name).toBe(`${'н'.repeat(196)}.pdf`)
})

test('a start removes half-received files of a killed process, and no file that arrives now', async () => {
  const incoming = join(product.deps.config.dataFolder, 'incoming')
  await mkdir(incoming, { recursive: true })
  await writeFile(join(incoming, 'old'), 'x')
  await writeFile(join(incoming, 'new'), 'x')
  await utimes(join(incoming, 'old'), new Date(0), new Date(0))
  const again = await buildApp(product.deps)
  await again.close()
  expect(await readdir(incoming)).toEqual(['new'])
})

test.each([
  ['zeroes and signs that are not seen', 'на\0кла\u202Eдная\u0007.pdf', 'накладная.pdf'],
  ['a way out of the folder', '../../../etc/накладная.pdf', 'накладная.pdf'],
  ["Windows' way out", String.raw`..\..\накладная.pdf`, 'накладная.pdf'],
  ['Uzbek letters and an emoji', 'Юклар рўйхати — ғишт 📦.pdf', 'Юклар рўйхати — ғишт 📦.pdf'],
])('a file name with %s is stored without them, and never as a path', async (_what, name, storedName) => {
  const answer = await upload(name, buildPdf())
  expect(answer.statusCode, answer.body).toBe(200)
  expect((await uploads()).items[0]?.name).toBe(storedName)
  expect(telegram.sent.at(-1)?.name).toBe(storedName)
  for (const file of await readdir(join(product.deps.config.dataFolder, 'files'), { recursive: true }))
    expect(file).toMatch(/^[\da-f]{2}(\/[\da-f]{64})?$/)
})

test('a file name with quotes, which browsers escape, is stored with its quotes', async () => {
  const name = 'Заказы "Ромашка" 100%.pdf'
  expect((await upload(name, buildPdf())).statusCode).toBe(200)
  expect((await uploads()).items[0]?.name).toBe(name)
})

test('a file whose name has decomposed letters, as macOS sends them, is found by its typed name', async () => {
  const name = 'Ноябрьский отчёт.pdf'
  expect((await upload(name.normalize('NFD'), buildPdf())).statusCode).toBe(200)
  expect((await uploads(`search=${encodeURIComponent('ноябрьский отчёт')}`)).items).toMatchObject([{ name }])
})

describe('Sending to Telegram', () => {
  const refusal = {
    message: 'Telegram не принимает файлы, сообщите администратору',
    code: 'telegram_refusal',
  }
  const silence = { message: 'Telegram не отвечает, отправим позже', code: 'telegram_silent' }

  test('an uploaded file is sent under its own name with its sender and description', async () => {
    const answer = await upload('накладная № 5.pdf', buildPdf(), { description: ' на завтра ' })
    expect(answer.statusCode).toBe(200)
    const { id } = answer.json<UploadAnswer>()
    expect(answer.json()).toEqual({
      id,
      sent_to_telegram: true,
      message: 'Файл успешно загружен и отправлен в Telegram',
    })
    expect(telegram.sent.at(-1)).toEqual({
      chat,
      caption: `#${id} aziz (aziz)\nна завтра`,
      name: 'накладная № 5.pdf',
      size: buildPdf().length,
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
    ['kicked', 'refused', refusal, 'kicked from the group chat'],
    ['no_chat', 'refused', refusal, 'chat not found'],
    ['broken', 'queued', silence, 'Telegram answered 500'],
    ['garbage', 'queued', silence, 'Telegram answered 502'],
    ['reset', 'queued', silence, 'could not be reached'],
  ] as const)('an upload is stored when Telegram is %s', async (mode, status, delay, error) => {
    telegram.mode = mode
    const answer = await upload(`${mode}.pdf`, buildPdf())
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ sent_to_telegram: false, ...delay })
    const { items } = await uploads(`status=${status}&search=${mode}`)
    expect(items).toMatchObject([{ name: `${mode}.pdf`, status, attempts: 1 }])
    expect(items[0]?.last_error).toContain(error)
    expect(items[0]?.last_error).not.toContain('1:token')
  })

  test('an upload is answered within 4 s when Telegram hangs', async () => {
    const { uploadAnswerTimeout, telegram: settings } = product.deps.config
    telegram.mode = 'hang'
    const startTime = performance.now()
    const answer = await upload('hang.pdf', buildPdf())
    // The time of the machine is added to the wait. Without a limit of the call it would be that of Telegram.
    expect(performance.now() - startTime).toBeLessThan(settings.answerWithin)
    expect(uploadAnswerTimeout).toBeLessThan(4000)
    expect(answer.json()).toMatchObject({ sent_to_telegram: false, ...silence })
  })

  test('an upload follows a group to its new chat', async () => {
    telegram.mode = 'migrated'
    expect((await upload('moved.pdf', buildPdf())).json()).toMatchObject({ sent_to_telegram: true })
    const calls = telegram.calls
    expect((await upload('moved again.pdf', buildPdf())).json()).toMatchObject({ sent_to_telegram: true })
    expect(telegram.sent.at(-1)?.chat).toBe(String(migratedChatId))
    expect(telegram.calls - calls).toBe(1)
  })
})

describe('Refused uploads', () => {
  test.each([
    ['an empty file', 'a.pdf', '', 422, 'The file is empty.'],
    ['another extension', 'a.exe', buildPdf(), 415, 'pdf, xlsx, xls, doc, docx'],
    ['no extension', 'orders', buildPdf(), 415, 'pdf, xlsx, xls, doc, docx'],
    ['csv', 'a.csv', 'orderno\n1\n', 415, 'pdf, xlsx, xls, doc, docx'],
    ['text that says it is pdf', 'a.pdf', 'hello', 415, 'content'],
    ['pdf that says it is xlsx', 'a.xlsx', buildPdf(), 415, 'content'],
    ['docx that says it is xlsx', 'a.xlsx', buildWordDocument(), 415, 'content'],
    ['xlsx that says it is docx', 'a.docx', buildWorkbook([]), 415, 'content'],
    ['xls that says it is doc', 'a.doc', buildXls([['a']]), 415, 'content'],
    [
      'a Word document that says it is xls',
      'a.xls',
      buildCompoundFile('WordDocument', Buffer.alloc(0)),
      415,
      'content',
    ],
    ['a locked workbook', 'a.xlsx', buildCompoundFile('EncryptedPackage', Buffer.alloc(0)), 415, 'password'],
    ['a zip cut short', 'a.xlsx', buildWorkbook([[1, { A: 'orderno' }]]).subarray(0, 400), 415, 'damaged'],
    ['a compound file cut short', 'a.xls', buildXls([['a']]).subarray(0, 700), 415, 'damaged'],
    [
      'zeroes after the magic',
      'a.doc',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4000)]),
      415,
      '',
    ],
  ] as const)('an upload of %s is refused', async (_what, name, content, status, detail) => {
    const before = (await uploads()).meta.total
    const answer = await upload(name, content)
    expect(answer.statusCode).toBe(status)
    expect(answer.json<{ detail: string }>().detail).toContain(detail)
    expect((await uploads()).meta.total).toBe(before)
  })

  test('an upload without a file or with a long description answers 422, and without a session 401', async () => {
    expect((await sendFile(product.app, aziz, '/api/parcel/files/upload', null)).statusCode).toBe(422)
    expect((await upload('a.pdf', buildPdf(), { description: 'x'.repeat(1001) })).statusCode).toBe(422)
    expect((await upload('a.pdf', buildPdf(), { description: 'x'.repeat(1000) })).statusCode).toBe(200)
    expect((await upload('a.pdf', buildPdf(), { description: '😀'.repeat(1001) })).statusCode).toBe(422)
    expect((await upload('a.pdf', buildPdf(), { description: '😀'.repeat(1000) })).statusCode).toBe(200)
    expect(
      (await sendFile(product.app, null, '/api/parcel/files/upload/', { name: 'a.pdf', content: buildPdf() }))
        .statusCode,
    ).toBe(401)
  })

  test('an upload of more than 20 MB is refused with 413', async () => {
    const large = Buffer.concat([buildPdf(), Buffer.alloc(20 * 1024 * 1024)])
    const answer = await upload('large.pdf', large)
    expect(answer.statusCode).toBe(413)
    expect(answer.json<{ detail: string }>().detail).toContain('20 MB')
  })
})

describe('Stored files', () => {
  test('an uploaded file is downloaded unchanged, as an attachment, only by admins', async () => {
    const content = Buffer.concat([buildPdf(), Buffer.from([0, 255, 13, 10])])
    const { id } = (await upload('../../etc/пароль "x".pdf', content)).json<UploadAnswer>()
    const url = `/api/admin/uploads/${id}/file`
    const answer = await callApi(product.app, admin, 'GET', url)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(content)).toBe(true)
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="[ -~]+"; filename\*=UTF-8''%D0%BF/,
    )
    expect(answer.headers['content-disposition']).not.toContain('..')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-type']).toBe('application/octet-stream')
    expect(answer.headers['content-security-policy']).toBe("sandbox; default-src 'none'")
    expect((await callApi(product.app, aziz, 'GET', url)).statusCode).toBe(403)
    expect((await callApi(product.app, admin, 'GET', '/api/admin/uploads/999999/file')).statusCode).toBe(404)
  })
})
