import type { Page } from '@karvon/contract/lib/page.ts'
import type { Upload, UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildPdf } from '../../../test/archives.ts'
import { sendFile } from '../../../test/files.ts'
import { now } from '../../../test/moment.ts'
import { uploadsJob } from './uploads.job.ts'

const pause = 0
/** More than the number of messages of any test. */
const usual = { interval: 0, perMinute: 1000 }
const rate = { ...usual }
let telegram: FakeTelegram
let product: Product
let admin: Session

beforeAll(async () => {
  telegram = await startTelegram('1:token')
  const { root } = telegram
  product = await createTestApp(
    {},
    { telegram: { token: '1:token', chat: '-100123', root, rate, answerWithin: 5000 } },
  )
  admin = await signInAdmin(product.app)
})

afterAll(async () => {
  await product.close()
  await telegram.close()
})

beforeEach(async () => {
  telegram.mode = 'ok'
  telegram.faults = {}
  await change('delete from telegram_chats')
  await change('delete from uploads')
})

const change = (text: string) => product.deps.pool.query(text)

/** Uploads a file while the fake has a mode, and answers the row of the list. */
async function uploadFile(mode: FakeTelegram['mode'], name = 'a.pdf'): Promise<Upload> {
  telegram.mode = mode
  const answer = await sendFile(product.app, admin, '/api/parcel/files/upload/', {
    name,
    content: buildPdf(),
  })
  return row(answer.json<UploadAnswer>().id)
}

async function row(id: number): Promise<Upload> {
  const list = await callApi(product.app, admin, 'GET', '/api/admin/uploads/?per_page=200')
  const upload = list.json<Page<Upload>>().items.find((item) => item.id === id)
  if (upload === undefined) throw new Error(`There is no upload ${id}`)
  return upload
}

/** Runs the job once, like another process. */
async function run(): Promise<void> {
  for (const job of uploadsJob(product.deps, pause)) await job.run(new AbortController().signal)
}

const retry = (id: number) => callApi(product.app, admin, 'POST', `/api/admin/uploads/${id}/retry/`)
const due = () => change(`update uploads set next_at = now() where status = 'queued'`)
const seconds = (from: string, to: string | null) => (Date.parse(to ?? '') - Date.parse(from)) / 1000
/** The wait begins with the answer of Telegram, some seconds after the upload if the machine is busy. */
function expectWait({ created_at, next_at }: Upload, wait: number): void {
  expect(seconds(created_at, next_at)).toBeGreaterThanOrEqual(wait)
  expect(seconds(created_at, next_at)).toBeLessThan(wait + 7)
}
const arrivals = (id: number) =>
  telegram.sent.filter(({ caption }) => caption?.startsWith(`#${id} `) === true).length

describe('Queued uploads', () => {
  test('an upload waits as long as a 429 asks, without an attempt, and so does its whole chat', async () => {
    const first = await uploadFile('slow_down')
    expect(first).toMatchObject({
      status: 'queued',
      attempts: 0,
      last_error: 'Too many requests: wait 7 s',
      unsure: false,
    })
    expectWait(first, 7)
    const calls = telegram.calls
    const second = await uploadFile('ok')
    expect(second).toMatchObject({ status: 'queued', attempts: 0 })
    await due()
    await run()
    expect(telegram.calls).toBe(calls)
    await change(`update telegram_chats set paused_until = now()`)
    await due()
    await run()
    for (const { id } of [first, second]) {
      expect(await row(id)).toMatchObject({ status: 'sent', attempts: 1, last_error: null, next_at: null })
      expect(arrivals(id)).toBe(1)
    }
  })

  test('an upload is retried after 15 s, 30 s and so on up to half an hour, and refused after 100 attempts', async () => {
    const upload = await uploadFile('broken')
    const { id } = upload
    expect(upload.attempts).toBe(1)
    expectWait(upload, 15)
    const waits: number[] = []
    for (let tries = 2; tries <= 9; tries += 1) {
      await due()
      await run()
      waits.push(Math.round(seconds(new Date(now()).toISOString(), (await row(id)).next_at) / 10) * 10)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800])
    await change('update uploads set attempts = 99')
    await due()
    await run()
    expect(await row(id)).toMatchObject({
      status: 'refused',
      attempts: 100,
      unsure: false,
      last_error: 'Telegram answered 500: Internal Server Error; given up after 100 attempts',
    })
  })

  test('an upload whose answer was lost is marked, and refused after 12 attempts', async () => {
    telegram.faults = { lost: 1 }
    const { id, unsure } = await uploadFile('ok')
    expect(unsure).toBe(true)
    expect(arrivals(id)).toBe(1)
    await change('update uploads set attempts = 11')
    await due()
    await run()
    expect(await row(id)).toMatchObject({ status: 'refused', attempts: 12, unsure: true })
    expect((await retry(id)).json()).toMatchObject({ status: 'queued', attempts: 0, unsure: true })
  })

  test('an upload that cannot have arrived is not marked', async () => {
    const { id, unsure } = await uploadFile('reset')
    expect(unsure).toBe(false)
    const away = await startTelegram('1:token')
    await away.close()
    const { config } = product.deps
    const unreachable = {
      ...product.deps,
      config: { ...config, telegram: { ...config.telegram, root: away.root } },
    }
    await due()
    for (const job of uploadsJob(unreachable, pause)) await job.run(new AbortController().signal)
    expect(await row(id)).toMatchObject({ status: 'queued', attempts: 2, unsure: false })
    expect((await row(id)).last_error).toContain('ECONNREFUSED')
  })

  test('an upload follows its moved group, and later uploads go there directly', async () => {
    const { id } = await uploadFile('broken')
    telegram.mode = 'migrated'
    await due()
    const calls = telegram.calls
    await run()
    expect(await row(id)).toMatchObject({ status: 'sent', attempts: 2 })
    expect(telegram.calls - calls).toBe(2)
    const { id: next } = await uploadFile('migrated')
    expect(await row(next)).toMatchObject({ status: 'sent', attempts: 1 })
    expect(telegram.calls - calls).toBe(3)
  })

  test('an upload to a group that had 20 messages within a minute waits, without an attempt', async () => {
    rate.perMinute = 20
    try {
      const ids: number[] = []
      for (let i = 0; i < 22; i += 1) ids.push((await uploadFile('ok')).id)
      const rows = await Promise.all(ids.map(row))
      const counts = (selection: Upload[]) => selection.map(({ status, attempts }) => `${status} ${attempts}`)
      expect(counts(rows)).toEqual([
        ...Array.from({ length: 20 }, () => 'sent 1'),
        ...Array.from({ length: 2 }, () => 'queued 0'),
      ])
      const late = rows.at(-1)
      expect(seconds(rows[0]?.created_at ?? '', late?.next_at ?? null)).toBeGreaterThan(59)
      await due()
      const { calls } = telegram
      await run()
      expect(telegram.calls).toBe(calls)
      await change(
        `update telegram_chats set sent_times = array(select t - interval '1 minute' from unnest(sent_times) t)`,
      )
      await due()
      await run()
      expect(await row(ids.at(-1) ?? 0)).toMatchObject({ status: 'sent', attempts: 1 })
    } finally {
      rate.perMinute = usual.perMinute
    }
  })
})

describe('Two processes', () => {
  test('one of several processes sends an upload', async () => {
    const ids: number[] = []
    for (let i = 0; i < 10; i += 1) ids.push((await uploadFile('broken')).id)
    telegram.mode = 'slow'
    telegram.delay = 20
    await due()
    await Promise.all([run(), run(), run()])
    expect(ids.map(arrivals)).toEqual(ids.map(() => 1))
  })

  test('an upload of a process that died is sent by another and marked', async () => {
    const { id } = await uploadFile('broken')
    await change(`update uploads set next_at = now(), leased_until = now() + interval '1 minute'`)
    telegram.mode = 'ok'
    await run()
    expect(arrivals(id)).toBe(0)
    expect((await retry(id)).statusCode).toBe(409)
    await change(`update uploads set leased_until = now() - interval '1 second'`)
    await run()
    expect(await row(id)).toMatchObject({ status: 'sent', unsure: true })
  })
})

test('an upload is not sent twice when the database restarts while Telegram answers', async () => {
  const { pool } = product.deps
  const query = pool.query.bind(pool)
  let failures = 0
  Object.assign(pool, {
    query: (...args: unknown[]): unknown => {
      const isOutcome = String(args[0]).startsWith('update uploads set status = $3')
      if (!isOutcome || failures > 0) return Reflect.apply(query, undefined, args)
      failures += 1
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    },
  })
  try {
    const { id, status, unsure } = await uploadFile('ok')
    expect({ failures, status, unsure }).toEqual({ failures: 1, status: 'sent', unsure: false })
    await change(
      `update uploads set leased_until = now() - interval '1 second' where leased_until is not null`,
    )
    await run()
    expect(arrivals(id)).toBe(1)
  } finally {
    Reflect.deleteProperty(pool, 'query')
  }
})

describe('Uploads for admins', () => {
  test('an admin retries a refused upload, with an audit row, and a sent one is never retried', async () => {
    const { id, status } = await uploadFile('kicked')
    expect(status).toBe('refused')
    telegram.mode = 'ok'
    await run()
    expect(arrivals(id)).toBe(0)
    const answer = await retry(id)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject({ id, status: 'queued', attempts: 0 })
    await run()
    expect(await row(id)).toMatchObject({ status: 'sent', attempts: 1 })
    const again = await retry(id)
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ detail: 'It was already sent.' })
    expect((await retry(999_999)).statusCode).toBe(404)
    await callApi(product.app, admin, 'GET', `/api/admin/uploads/${id}/file`)
    const { rows } = await change(
      `select action from audit_log where resource = 'uploads' and row_id = ${id} order by action`,
    )
    expect(rows).toEqual([{ action: 'download' }, { action: 'retry' }])
  })

  test('an upload whose stored file is missing is refused with that reason', async () => {
    const { id } = await uploadFile('broken')
    await change(`update uploads set sha256 = repeat('0', 64), next_at = now()`)
    telegram.mode = 'ok'
    await run()
    expect(await row(id)).toMatchObject({
      status: 'refused',
      last_error: 'The stored file is not in the data folder',
    })
  })

  test('uploads are filtered by person, day and uncertain delivery', async () => {
    telegram.faults = { lost: 1 }
    const { id, user, created_at } = await uploadFile('ok')
    telegram.faults = {}
    await uploadFile('ok')
    const findUploads = async (query: string) =>
      (await callApi(product.app, admin, 'GET', `/api/admin/uploads/?${query}`)).json<Page<Upload>>().meta
        .filtered_total
    expect(await findUploads('unsure=true')).toBe(1)
    expect(await findUploads(`user_id=${user?.id}`)).toBe(2)
    expect(await findUploads(`user_id=${id + 1000}`)).toBe(0)
    const day = created_at.slice(0, 10)
    expect(await findUploads(`start_date=${day}&end_date=${day}&sort=-next_at`)).toBe(2)
    expect(await findUploads('end_date=2020-01-01')).toBe(0)
  })
})
