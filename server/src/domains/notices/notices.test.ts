import type { Notice, TelegramLink } from '@karvon/contract/notices/notices.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signIn, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { runJob } from '../../../test/jobs.ts'
import { ago, day, now } from '../../../test/moment.ts'
import { buildParcelEvent } from '../../../test/parcel.ts'
import { createUser, getPassword, readOwnId } from '../../../test/people.ts'
import { storeParcels } from '../parcels/parcels.store.ts'
import { openTelegram } from '../../integrations/telegram/telegram.ts'
import type { BotReader } from './notices.bot.answers.ts'
import { botJob } from './notices.bot.ts'
import { noticesJobs } from './notices.jobs.ts'
import { createNoticeReaders } from '../../app/notices.ts'

const path = '/parcel/auth/telegram/'
let telegram: FakeTelegram
let product: Product
let admin: Session
let aziz: Session
let azizId: number

beforeAll(async () => {
  telegram = await startTelegram('1:token')
  product = await createTestApp({
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
  azizId = await readOwnId(product.app, aziz)
})

afterAll(async () => {
  await product.close()
  await telegram.close()
})

beforeEach(async () => {
  telegram.mode = 'ok'
  telegram.messages.splice(0)
  await product.deps.pool.query('delete from notices')
  await product.deps.pool.query('delete from telegram_links')
})

const proof = { current_password: getPassword('aziz') }
const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', body?: object, as = aziz) =>
  (await callApi(product.app, as, method, path, body)).json<TelegramLink>()

const refuseCall = () => Promise.reject(new Error('Not asked for'))
const reader: BotReader = {
  readToday: refuseCall,
  readBalances: refuseCall,
  findParcels: refuseCall,
  currency: 'UZS',
  timeZone: 'Asia/Tashkent',
  moneyUrl: null,
}

/** Reads the updates of the bot once. */
async function read(): Promise<void> {
  const client = openTelegram(product.deps.config.telegram)
  if (client === null) throw new Error('No bot')
  await botJob(product.deps, { telegram: client, bot: '1', reader, wait: 0 }).run(
    new AbortController().signal,
  )
}

/** Runs the job that sends notices once. */
async function run(): Promise<void> {
  await runJob(noticesJobs(product.deps, createNoticeReaders(product.deps), 0), 'notices')
}

async function link(chat = 501): Promise<void> {
  const { code } = await call('POST', proof)
  telegram.write(chat, `/start ${code}`)
  await read()
  telegram.messages.splice(0)
}

async function storeStatus(
  orderno: string,
  courierStatus: string,
  eventtime = new Date(now()).toISOString(),
): Promise<void> {
  await storeParcels(product.deps.db, [
    buildParcelEvent(orderno, courierStatus, { owner_id: azizId, eventtime }),
  ])
}

describe('Telegram chats', () => {
  test('a chat is linked by a code that works once within a quarter of an hour', async () => {
    expect(await call('GET')).toEqual({
      available: true,
      bot: 'karvon_bot',
      linked: false,
      problems: true,
      delivered: true,
      digest: false,
      money: true,
      alerts: true,
      muted: false,
      muted_until: null,
      code: null,
      code_until: null,
    })
    const { code, code_until } = await call('POST', proof)
    expect(code).toMatch(/^[A-Z2-9]{10}$/)
    expect((Date.parse(code_until ?? '') - now()) / 60_000).toBeCloseTo(15, 0)
    telegram.write(501, `${code?.toLowerCase()}`)
    telegram.write(502, `/start ${code}`)
    await read()
    expect(telegram.messages).toEqual([
      { chat: '501', text: expect.stringMatching(/^Уведомления включены: /) as string },
      { chat: '502', text: 'Код не подходит или устарел. Получите новый код в профиле.' },
    ])
    expect(await call('GET')).toMatchObject({ linked: true, code: null })
    telegram.messages.splice(0)
    await read()
    expect(telegram.messages).toEqual([])
  })

  test('an old or replaced code, a group, or a deactivated person does not link a chat', async () => {
    const { code: first } = await call('POST', proof)
    const { code } = await call('POST', proof)
    telegram.write(501, `${first}`)
    telegram.write(-700, `/start ${code}`, { group: true })
    await read()
    expect(telegram.messages.map(({ chat }) => chat)).toEqual(['501'])
    await product.deps.pool.query(`update telegram_links set code_until = now()`)
    telegram.write(501, `${code}`)
    telegram.write(501, 'привет')
    await read()
    expect(await call('GET')).toMatchObject({ linked: false, code: null, code_until: null })
    expect(telegram.messages).toHaveLength(3)
  })

  test('a code does not link a chat after the end of the sessions of its person', async () => {
    const { code } = await call('POST', proof)
    const ended = await callApi(product.app, admin, 'DELETE', `/api/admin/users/${azizId}/sessions/`)
    expect(ended.statusCode).toBe(200)
    telegram.write(501, `${code}`)
    await read()
    expect(telegram.messages).toEqual([
      { chat: '501', text: 'Код не подходит или устарел. Получите новый код в профиле.' },
    ])
    aziz = await signIn(product.app, 'aziz', getPassword('aziz'))
    expect(await call('GET')).toMatchObject({ linked: false, code: null })
  })

  test('/stop or the profile unlinks a chat, and the chosen notices are kept', async () => {
    await link()
    expect(await call('PUT', { digest: true })).toMatchObject({
      linked: true,
      problems: true,
      delivered: true,
      digest: true,
    })
    telegram.write(501, '/stop')
    await read()
    expect(await call('GET')).toMatchObject({ linked: false, digest: true })
    await link()
    expect(await call('DELETE', proof)).toMatchObject({ linked: false, digest: true })
    expect((await callApi(product.app, null, 'GET', path)).statusCode).toBe(401)
    expect((await callApi(product.app, aziz, 'PUT', path, { digest: 'x' })).statusCode).toBe(422)
  })
})

describe('Notices about parcels', () => {
  test('the owner of a parcel gets a notice when it needs a person or is delivered, each once', async () => {
    await link()
    for (const raw of [
      'NEW',
      'DATECHANGE',
      'DELIVERY',
      'DATECHANGE',
      'COURIERCANCELED',
      'COMPLETE',
      'COMPLETE',
    ]) {
      await storeStatus('N-1', raw)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await run()
    expect(telegram.messages).toEqual([
      { chat: '501', text: 'Посылка N-1 требует внимания: Перенос' },
      { chat: '501', text: 'Посылка N-1 требует внимания: Отказ (предварительно)' },
      { chat: '501', text: 'Посылка N-1 доставлена' },
    ])
    await run()
    expect(telegram.messages).toHaveLength(3)
  })

  test('no notice is sent for an old status, an unwanted kind, or a person without a chat', async () => {
    await storeStatus('N-2', 'COMPLETE')
    await link()
    await storeStatus('N-3', 'COMPLETE', ago(3 * day))
    await call('PUT', { problems: false })
    await storeStatus('N-4', 'LOST')
    await call('PUT', { problems: true, delivered: false })
    await storeStatus('N-4', 'COMPLETE')
    await run()
    expect(telegram.messages).toEqual([])
  })

  test('a parcel that arrives as delivered gives a notice, and one for an unlinked chat is refused', async () => {
    await link()
    await storeStatus('N-5', 'COMPLETE')
    await call('DELETE', proof)
    await run()
    expect(telegram.messages.map(({ text }) => text)).toEqual([
      expect.stringContaining('этот чат больше не связан'),
    ])
    const { rows } = await product.deps.pool.query(
      `select status, last_error from notices where kind <> 'security'`,
    )
    expect(rows).toEqual([{ status: 'refused', last_error: 'The person has no chat linked any more' }])
  })

  test('a notice is in the language that its person has when it is sent', async () => {
    await link()
    await storeStatus('N-9', 'DATECHANGE')
    for (const [language, text] of [
      ['en', 'Parcel N-9 needs attention: the delivery is postponed'],
      ['uz', 'N-9 jo‘natmasi e’tibor talab qiladi: yetkazish ko‘chirildi'],
      [null, 'Посылка N-9 требует внимания: Перенос'],
    ] as const) {
      const answer = await callApi(product.app, aziz, 'PUT', '/parcel/auth/profile', { language })
      expect(answer.json()).toMatchObject({ language })
      await product.deps.pool.query(`update notices set status = 'queued', next_at = now()`)
      await run()
      expect(telegram.messages.splice(0)).toEqual([{ chat: '501', text }])
      const listAnswer = await callApi(product.app, admin, 'GET', '/api/admin/notices/?search=N-9')
      expect(listAnswer.json<{ items: Notice[] }>().items.map((notice) => notice.text)).toEqual([text])
    }
    const wrong = await callApi(product.app, aziz, 'PUT', '/parcel/auth/profile', { language: 'de' })
    expect(wrong.statusCode).toBe(422)
  })

  test('a notice of an earlier version is sent with its own text', async () => {
    await link()
    await product.deps.pool.query(
      `insert into notices (user_id, kind, once, text) values ($1, 'problem', 'earlier', 'Посылка 1')`,
      [azizId],
    )
    await run()
    expect(telegram.messages).toEqual([{ chat: '501', text: 'Посылка 1' }])
  })

  test('a notice waits in the queue while Telegram fails', async () => {
    await link()
    await storeStatus('N-6', 'LOST')
    telegram.mode = 'broken'
    await run()
    telegram.mode = 'ok'
    await product.deps.pool.query('update notices set next_at = now()')
    await run()
    expect(telegram.messages).toHaveLength(1)
  })
})

describe('List of notices', () => {
  interface Listed {
    items: Notice[]
    meta: { total: number; filtered_total: number }
  }
  const list = async (query = '') =>
    (await callApi(product.app, admin, 'GET', `/api/admin/notices/?${query}`)).json<Listed>()
  const retry = (id: number, as = admin) =>
    callApi(product.app, as, 'POST', `/api/admin/notices/${id}/retry/`)

  test('an admin sees the status of each notice and retries a refused one', async () => {
    await link()
    await storeStatus('N-7', 'LOST')
    await storeStatus('N-8', 'COMPLETE')
    await product.deps.pool.query('update telegram_links set chat_id = null')
    await run()
    const { items, meta } = await list()
    expect(meta).toMatchObject({ total: 2, filtered_total: 2 })
    expect(items[1]).toMatchObject({
      kind: 'problem',
      user: { id: azizId, name: 'aziz' },
      text: expect.stringMatching(/^Посылка N-7 требует внимания/) as string,
      status: 'refused',
      next_at: null,
    })
    expect((await list('kind=delivered')).items).toEqual([items[0]])
    expect((await list('search=n-7')).meta).toMatchObject({ total: 2, filtered_total: 1 })
    expect((await list(`status=sent&user_id=${azizId}`)).items).toEqual([])

    await link()
    const id = items[1]?.id ?? 0
    expect((await retry(id)).json()).toMatchObject({ id, status: 'queued', attempts: 0 })
    await run()
    expect(telegram.messages.map(({ text }) => text)).toEqual([items[1]?.text])
    expect((await retry(id)).statusCode).toBe(409)
    expect((await retry(0)).statusCode).toBe(404)
    expect((await retry(id, aziz)).statusCode).toBe(403)
  })
})
