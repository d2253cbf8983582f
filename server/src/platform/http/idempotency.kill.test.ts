import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../../test/app.ts'
import { keyedCalls, requestOf, send, type Request } from '../../../test/keyed-calls.ts'

const program = fileURLToPath(new URL('../../../test/keyed-server.ts', import.meta.url))
/** Its answers are those of a second process on the same database. */
let product: Product
let admin: Signed
let server: { child: ChildProcess; url: string } | undefined

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})
afterEach(kill)
afterAll(() => product.close())

async function start(): Promise<string> {
  const { databaseUrl, deps } = product
  const child = spawn(process.execPath, [program, databaseUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      KARVON_DATA: deps.config.dataFolder,
      KARVON_TIMEZONE: deps.config.timeZone,
    },
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  server = { child, url: line.toString().trim() }
  return server.url
}

async function kill(): Promise<void> {
  const child = server?.child
  server = undefined
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const query = async <Row>(text: string, values: unknown[] = []) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text, values)).rows
const count = async (text: string) =>
  (await query<{ n: number }>(`select count(*)::int as n from ${text}`))[0]?.n ?? 0

type Keyed = (typeof keyedCalls)[number]
const keyedCall = (id: string): Keyed => {
  const found = keyedCalls.find(([each]) => each === id)
  if (found === undefined) throw new Error(`No call is ${id}`)
  return found
}

/** Sends it to the process; null where that was killed before it answered. */
async function tell([, method, call]: Keyed, request: Request, headers: Record<string, string>) {
  const url = `${server?.url}${call.path.replace(':id', String(request.id))}`
  const { authorization } = admin.headers
  try {
    if (request.file !== undefined) {
      const body = new FormData()
      for (const [name, value] of Object.entries(request.fields ?? {})) body.set(name, value)
      body.set('file', new Blob([request.file.content.toString()]), request.file.name)
      const answer = await fetch(url, { method, body, headers: { authorization, ...headers } })
      return [answer.status, await answer.text()] as const
    }
    const json = { authorization, 'content-type': 'application/json', ...headers }
    const answer = await fetch(url, { method, headers: json, body: JSON.stringify(request.body ?? {}) })
    return [answer.status, await answer.text()] as const
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

/** What each leaves a row of, once; that all others do it alike is shown without a process. */
const traces = {
  'offers.create': 'offers',
  'leads.state': 'lead_history',
  'uploads.upload': 'uploads',
} as const

test.each(['before', 'after'] as const)(
  'killed %s the commit: the repeat does what is not done, and nothing twice',
  { timeout: 120_000 },
  async (point) => {
    for (const [id, rows] of Object.entries(traces)) {
      const keyed = keyedCall(id)
      const request = await requestOf(product, admin, keyed[2])
      const [key, had] = [randomUUID(), await count(rows)]
      await start()
      expect(await tell(keyed, request, { 'idempotency-key': key, 'x-die': point }), id).toBeNull()
      await kill()
      expect(await count(rows), id).toBe(point === 'before' ? had : had + 1)

      if (keyed[2].repeat === 'again') {
        const early = await send(product, admin, keyed, request, key)
        expect([early.statusCode, early.json<{ code: string }>().code]).toEqual([409, 'in_progress'])
        // Rather than wait until the lease is over.
        await query('update idempotency_keys set leased_until = now() where answer is null')
      }
      const again = await send(product, admin, keyed, request, key)
      expect(again.statusCode, `${id}: ${again.body}`).toBe(keyed[2].status ?? 200)
      const replayed = point === 'after' && keyed[2].repeat !== 'again'
      expect(again.headers['idempotency-replayed'], id).toBe(replayed ? 'true' : undefined)
      const last = await send(product, admin, keyed, request, key)
      expect([last.body, last.headers['idempotency-replayed']], id).toEqual([again.body, 'true'])
      expect(await count(rows), id).toBe(had + 1)
    }
  },
)

test(
  'kill -9 at any moment: whoever repeats until it is answered has it once',
  { timeout: 120_000 },
  async () => {
    const keyed = keyedCall('parcels.note')
    const parcel = await requestOf(product, admin, keyed[2])
    const kills = 2
    let sent = 0
    const over = new AbortController()
    const answered = new Set<string>()
    const asking = async () => {
      while (!over.signal.aborted) {
        const text = `note ${(sent += 1)}`
        const headers = { 'idempotency-key': randomUUID() }
        for (;;) {
          const answer = await tell(keyed, { ...parcel, body: { text } }, headers)
          if (answer?.[0] === keyed[2].status) break
          expect(answer?.[0] ?? 0, answer?.[1]).toBeOneOf([0, 409, 503])
          await sleep(20)
        }
        answered.add(text)
      }
    }
    await start()
    const running = Promise.all([asking(), asking(), asking()])
    for (let round = 0; round < kills; round += 1) {
      await sleep(100 + ((round * 137) % 300))
      await kill()
      await start()
    }
    over.abort()
    await running
    const notes = await query<{ text: string; n: number }>(
      `select text, count(*)::int as n from parcel_notes where parcel_id = $1 group by text`,
      [parcel.id],
    )
    expect(answered.size).toBeGreaterThan(kills)
    expect(notes.filter(({ n }) => n !== 1)).toEqual([])
    expect(new Set(notes.map(({ text }) => text))).toEqual(answered)
  },
)
