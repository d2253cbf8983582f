import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { keyedCalls, createRequest, sendKeyed, type KeyedRequest } from '../../../test/keyed-calls.ts'
import { sendToServer, startTestServer } from '../../../test/worker.ts'

/** A second process on the same database, used for its answers. */
let product: Product
let admin: Session
let server: NodeProcess | undefined

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterEach(kill)
afterAll(() => product.close())

async function start(): Promise<void> {
  server = await startTestServer('keyed-server', product)
}

async function kill(): Promise<void> {
  await server?.kill()
}

const query = async <Row>(text: string, values: unknown[] = []) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text, values)).rows
const count = async (text: string) =>
  (await query<{ n: number }>(`select count(*)::int as n from ${text}`))[0]?.n ?? 0

type Keyed = (typeof keyedCalls)[number]
const keyedCall = (id: string): Keyed => {
  const keyedEntry = keyedCalls.find(([callId]) => callId === id)
  if (keyedEntry === undefined) throw new Error(`No call is ${id}`)
  return keyedEntry
}

/** Sends the request to the process; null if it was killed before the answer. */
async function sendRequest([, method, call]: Keyed, request: KeyedRequest, headers: Record<string, string>) {
  const url = `${server?.url}${call.path.replace(':id', String(request.id))}`
  const { authorization } = admin.headers
  if (request.file === undefined)
    return sendToServer(url, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request.body ?? {}),
    })
  const body = new FormData()
  for (const [name, value] of Object.entries(request.fields ?? {})) body.set(name, value)
  body.set('file', new Blob([request.file.content.toString()]), request.file.name)
  return sendToServer(url, { method, body, headers: { authorization, ...headers } })
}

/** The rows that each call leaves. Other tests cover the other calls without a process. */
const tableByCall = {
  'offers.create': 'offers',
  'leads.state': 'lead_history',
  'uploads.upload': 'uploads',
} as const

test.each(['before', 'after'] as const)(
  'after a kill %s the commit, a repeat does what is missing and nothing twice',
  async (point) => {
    for (const [id, rows] of Object.entries(tableByCall)) {
      const keyedEntry = keyedCall(id)
      const request = await createRequest(product, admin, keyedEntry[2])
      const [key, countBefore] = [randomUUID(), await count(rows)]
      await start()
      expect(
        await sendRequest(keyedEntry, request, { 'idempotency-key': key, 'x-die': point }),
        id,
      ).toBeNull()
      await kill()
      expect(await count(rows), id).toBe(point === 'before' ? countBefore : countBefore + 1)

      if (keyedEntry[2].repeat === 'again') {
        const early = await sendKeyed(product, admin, keyedEntry, request, key)
        expect([early.statusCode, early.json<{ code: string }>().code]).toEqual([409, 'in_progress'])
        // Ends the lease, so that the test does not wait for it.
        await query('update idempotency_keys set leased_until = now() where answer is null')
      }
      const again = await sendKeyed(product, admin, keyedEntry, request, key)
      expect(again.statusCode, `${id}: ${again.body}`).toBe(keyedEntry[2].status ?? 200)
      const isReplayed = point === 'after' && keyedEntry[2].repeat !== 'again'
      expect(again.headers['idempotency-replayed'], id).toBe(isReplayed ? 'true' : undefined)
      const last = await sendKeyed(product, admin, keyedEntry, request, key)
      expect([last.body, last.headers['idempotency-replayed']], id).toEqual([again.body, 'true'])
      expect(await count(rows), id).toBe(countBefore + 1)
    }
  },
)

test('kills (-9) at any moment: a request repeated until its answer is done once', async () => {
  const keyedEntry = keyedCall('parcels.note')
  const parcel = await createRequest(product, admin, keyedEntry[2])
  const kills = 2
  let sentCount = 0
  const end = new AbortController()
  const answeredTexts = new Set<string>()
  const sendRequests = async () => {
    while (!end.signal.aborted) {
      const text = `note ${(sentCount += 1)}`
      const headers = { 'idempotency-key': randomUUID() }
      for (;;) {
        const answer = await sendRequest(keyedEntry, { ...parcel, body: { text } }, headers)
        if (answer?.status === keyedEntry[2].status) break
        // On a slow machine the test sends more notes than a person may in a minute.
        if (answer?.status === 429) return
        expect(answer?.status ?? 0, answer?.body).toBeOneOf([0, 409, 503])
        await sleep(20)
      }
      answeredTexts.add(text)
    }
  }
  await start()
  const running = Promise.all([sendRequests(), sendRequests(), sendRequests()])
  for (let round = 0; round < kills; round += 1) {
    await sleep(100 + ((round * 137) % 300))
    await kill()
    await start()
  }
  end.abort()
  await running
  const notes = await query<{ text: string; n: number }>(
    `select text, count(*)::int as n from parcel_notes where parcel_id = $1 group by text`,
    [parcel.id],
  )
  expect(answeredTexts.size).toBeGreaterThan(kills)
  expect(notes.filter(({ n }) => n !== 1)).toEqual([])
  expect(new Set(notes.map(({ text }) => text))).toEqual(answeredTexts)
})
