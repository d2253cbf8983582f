import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@karvon/contract/lib/call.ts'
import { Named } from '@karvon/contract/lib/field.ts'
import { pageSchema } from '@karvon/contract/lib/page.ts'
import { listQuery } from '@karvon/contract/lib/resource.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { readSheet } from '../../../test/exports.ts'
import { openPool } from '../database/pool.ts'
import { registerErrorHandler } from '../http/error-handler.ts'
import { serve } from '../http/serve.ts'
import { ExportRows } from './exports.rows.ts'

const maybe = Type.Union([Type.String(), Type.Null()])
const Thing = Type.Object({
  id: Type.Integer(),
  text: maybe,
  amount: Type.Number(),
  ready: Type.Boolean(),
  source_id: Type.Integer(),
  source: Named,
  owner: Type.Union([Named, Type.Null()]),
  place: Type.Object({ town: maybe, street: maybe }),
  marks: Type.Array(Type.String()),
  free: Type.Record(Type.String(), Type.Unknown()),
})
const listRows = call({
  id: 'things.list',
  summary: 'Things',
  method: 'GET',
  path: '/api/things/',
  guard: 'person',
  query: listQuery(['id']),
  answer: pageSchema(Thing),
})

let database: TestDatabase
let pool: pg.Pool
let app: FastifyInstance
let url: string
/** The statement of the list's next request. */
let statement: { text: string; values: unknown[] }
/** The connection of the last request. */
let socket: Socket
const clients = new Set<AbortController>()
/** An answer without a reference is cancelled by the garbage collection. */
const heldResponses: Response[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, { timezone: TEST_TIMEZONE, max: 6, applicationName: 'exports' })
  app = Fastify()
  app.decorate('identify', async (token: string) => ({
    userId: Number(token),
    sessionId: 1,
    roleId: 1,
    roleCode: 'user',
    isAdmin: Number(token) > 900,
    isSecondFactorRequired: false,
    hasSecondFactor: false,
    username: token,
    name: token,
  }))
  app.decorateRequest('identity', null)
  registerErrorHandler(app)
  serve(app, listRows, async ({ request }) => {
    socket = request.raw.socket
    return new ExportRows(pool, statement)
  })
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/things`
})
afterEach(async () => {
  for (const client of clients) client.abort()
  clients.clear()
  heldResponses.splice(0)
  await vi.waitUntil(() => pool.idleCount === pool.totalCount && pool.waitingCount === 0, 30_000)
})
afterAll(async () => {
  await app.close()
  await pool.end()
  await database.drop()
})

async function get(as = 1, format = 'csv', method = 'GET') {
  const client = new AbortController()
  clients.add(client)
  const headers = { authorization: `Bearer ${as}` }
  const answer = await fetch(`${url}?format=${format}`, { method, headers, signal: client.signal })
  heldResponses.push(answer)
  return { client, answer, body: () => answer.arrayBuffer().then((bytes) => Buffer.from(bytes)) }
}

const buildRow = (id: number, over: object = {}) => ({
  id,
  text: 'простой',
  amount: 1.5,
  ready: true,
  source_id: 7,
  source: { id: 7, name: '100k' },
  owner: null,
  place: { town: 'Ташкент', street: null },
  marks: [],
  free: {},
  ...over,
})
const setRows = (rows: readonly object[]) => {
  const text = `select item::text from unnest($1::jsonb[]) with ordinality u(item, n) order by n`
  statement = { text, values: [rows.map((row) => JSON.stringify(row))] }
}
/** Rows up to `count`, made while they are read; `text` is an expression over `g`. */
const setRowCount = (count: number, text = `'x'`) => {
  statement = {
    text: `select json_build_object('id', g, 'text', ${text})::text as item
      from (select generate_series(1, $1::int) as g) s`,
    values: [count],
  }
}
const headerLine = 'id,text,amount,ready,source_id,source,owner_id,owner,place_town,place_street,marks,free'

describe('Content of exports', () => {
  const rows = [
    buildRow(1, { text: 'Чайник "Ёлка", 2 л\r\nи ещё', owner: { id: 3, name: 'Oʻtkir' } }),
    buildRow(2, { text: '=HYPERLINK("http://x")', amount: -12.34, source: { id: 7, name: '+7' } }),
    buildRow(3, { text: null, ready: false, marks: ['a', 'б'], free: { sub1: 'x' } }),
    buildRow(4, { text: "'=already", place: { town: '@town', street: '-1' } }),
    buildRow(5, { text: ' пробелы ', amount: 9_999_999_999_999.99, marks: ['\tx', '\rx'] }),
    buildRow(6, { text: '\tтаб', amount: 0.1 }),
  ]

  test('an exported csv equals the expected bytes', async () => {
    setRows(rows)
    const { answer, body } = await get()
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="things-20\d\d-\d\d-\d\d\.csv"$/,
    )
    expect((await body()).toString()).toBe(
      `\uFEFF${[
        headerLine,
        `1,"Чайник ""Ёлка"", 2 л\r\nи ещё",1.5,true,7,100k,3,Oʻtkir,Ташкент,,,{}`,
        `2,"'=HYPERLINK(""http://x"")",-12.34,true,7,'+7,,,Ташкент,,,{}`,
        `3,,1.5,false,7,100k,,,Ташкент,,a; б,"{""sub1"":""x""}"`,
        `4,''=already,1.5,true,7,100k,,,'@town,'-1,,{}`,
        `5," пробелы ",9999999999999.99,true,7,100k,,,Ташкент,,"'\tx; \rx",{}`,
        `6,'\tтаб,0.1,true,7,100k,,,Ташкент,,,{}`,
        '',
      ].join('\r\n')}`,
    )
  })

  test('an exported xlsx has numbers as numbers and no formula', async () => {
    setRows(rows)
    const { answer, body } = await get(1, 'xlsx')
    expect(answer.headers.get('content-disposition')).toMatch(/\.xlsx"$/)
    const [head, ...sheetRows] = await readSheet(await body())
    expect(head).toEqual(headerLine.split(','))
    expect(sheetRows[0]?.slice(0, 4)).toEqual(['1', 'Чайник "Ёлка", 2 л\r\nи ещё', '1.5', 'TRUE'])
    expect(sheetRows[1]?.slice(0, 3)).toEqual(['2', `'=HYPERLINK("http://x")`, '-12.34'])
    expect(sheetRows.map((cells) => cells[1])).toEqual([
      'Чайник "Ёлка", 2 л\r\nи ещё',
      `'=HYPERLINK("http://x")`,
      '',
      "''=already",
      'пробелы',
      "'\tтаб",
    ])
    expect(sheetRows[4]?.[2]).toBe('9999999999999.99')
  })

  test('a text over the limit of a cell is cut only in a workbook', async () => {
    const long = 'я'.repeat(40_000)
    setRows([buildRow(1, { text: long })])
    expect((await (await get()).body()).toString()).toContain(long)
    const [, row] = await readSheet(await (await get(1, 'xlsx')).body())
    expect(row?.[1]).toBe(`${'я'.repeat(32_766)}…`)
  })

  test.each([0, 1, 199, 200, 201, 2000])('an export has all of %i rows in order', async (count) => {
    setRowCount(count)
    const csv = (await (await get()).body()).toString().trimEnd().split('\r\n').slice(1)
    expect(csv.map((line) => line.split(',')[0])).toEqual(Array.from({ length: count }, (_, n) => `${n + 1}`))
    const [, ...xlsx] = await readSheet(await (await get(1, 'xlsx')).body())
    expect(xlsx.length).toBe(count)
  })

  test('a HEAD request answers the headers of the export without reading a row', async () => {
    setRowCount(1, '(1 / (g - g))::text')
    const { answer, body } = await get(1, 'csv', 'HEAD')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers.get('content-length')).toBeNull()
    expect((await body()).length).toBe(0)
  })
})

const endlessCount = 2_000_000_000
/** Connections of the pool that work on an export, with their state. */
const readExports = async () => {
  const text = `select pid, state, query_start from pg_stat_activity
    where application_name = 'exports' and datname = current_database() and query ~ '^(declare|fetch)'
      and state <> 'idle'`
  return (await pool.query<{ pid: number; state: string; query_start: string }>(text)).rows
}

/** The connection of an export whose reader is paused, once nothing has changed for a second. */
const readPausedExports = async () => {
  let last = await readExports()
  let unchangedReads = 0
  while (last[0]?.state !== 'idle in transaction' || unchangedReads < 5) {
    await sleep(200)
    const now = await readExports()
    unchangedReads = JSON.stringify(now) === JSON.stringify(last) ? unchangedReads + 1 : 0
    last = now
  }
  return last
}

describe('Readers of exports', () => {
  test('an aborted download ends the query and frees its connection', async () => {
    for (const format of ['csv', 'xlsx']) {
      setRowCount(endlessCount)
      const { client, answer } = await get(1, format)
      await answer.body?.getReader().read()
      client.abort()
      await vi.waitFor(async () => expect(await readExports()).toEqual([]), 30_000)
    }
  })

  test('a download aborted before the first row ends the query and frees its connection', async () => {
    statement = { text: `select pg_sleep(60)::text as item`, values: [] }
    const request = get()
    await vi.waitFor(async () => expect(await readExports()).toMatchObject([{ state: 'active' }]), 30_000)
    for (const client of clients) client.abort()
    await expect(request).rejects.toThrow('aborted')
    await vi.waitFor(async () => expect(await readExports()).toEqual([]), 30_000)
  })

  test('a paused download waits, and no row is read ahead', async () => {
    setRowCount(endlessCount, `repeat('x', 1000)`)
    const { answer } = await get()
    await answer.body?.getReader().read()
    const before = await readPausedExports()
    await sleep(500)
    expect(await readExports(), 'no row was fetched meanwhile').toEqual(before)
  })
})

describe('Failed exports', () => {
  test.each(['csv', 'xlsx'])('an error after the first row breaks the connection of a %s', async (format) => {
    setRowCount(20_000, `repeat('x', 1000) || (1 / (15000 - g))`)
    const { answer, body } = await get(1, format)
    expect(answer.status).toBe(200)
    await expect(body()).rejects.toThrow('terminated')
  })

  test('an error before the first row answers 422', async () => {
    setRowCount(10, '(1 / (g - g))::text')
    const { answer } = await get()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      422,
      'application/json; charset=utf-8',
    ])
    expect(await answer.json()).toMatchObject({ code: 'value_unfit' })
  })

  test('an export whose database connection ends is broken off, even if its reader is paused', async () => {
    setRowCount(endlessCount, `repeat('x', 1000)`)
    const { hostname, port } = new URL(url)
    const client = connect(Number(port), hostname).pause()
    client.write(`GET /api/things?format=csv HTTP/1.1\r\nhost: x\r\nauthorization: Bearer 1\r\n\r\n`)
    // Before the first row the answer would be an error, and the connection would stay.
    const [paused] = await readPausedExports()
    await pool.query('select pg_terminate_backend($1)', [paused?.pid])
    const isEnded = () => socket.destroyed && pool.idleCount === pool.totalCount
    await expect.poll(isEnded, { timeout: 30_000 }).toBe(true)
    client.destroy()
  })

  test('an admin has two exports at once, another person one, and a finished one makes room', async () => {
    setRowCount(endlessCount)
    const first = await get(1)
    const { answer: secondAnswer } = await get(1)
    expect([secondAnswer.status, await secondAnswer.json()]).toMatchObject([429, { params: { max: 1 } }])
    expect((await get(2)).answer.status).toBe(200)
    const fourth = await get(3)
    expect([fourth.answer.status, fourth.answer.headers.get('retry-after')]).toEqual([503, '10'])
    // Exports of other people take no slot of an admin.
    for (const status of [200, 200, 429]) expect((await get(901)).answer.status).toBe(status)
    first.client.abort()
    setRowCount(3)
    await vi.waitFor(async () => expect((await get(3)).answer.status).toBe(200), 30_000)
  })
})
