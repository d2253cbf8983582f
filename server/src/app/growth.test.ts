import type { Call } from '@karvon/contract/lib/call.ts'
import {
  maxCode,
  maxHistoryKept,
  maxHistoryShown,
  maxLine,
  maxNotes,
  maxPageSize,
  maxParcelItems,
} from '@karvon/contract/lib/limits.ts'
import { calls } from '@karvon/contract/registry.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { createUser, readId } from '../../test/people.ts'
import { maxDatabaseRowBytes, maxNotesPerPerson } from '../platform/limits/limits.ts'

let product: Product
let person: Session
let ids: { parcel: number; lead: number; act: number; statement: number }

const run = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await product.deps.pool.query<Row>(text, values)).rows

// The character that grows most in transport: one byte here, six in JSON. Old rows may hold it.
const growText = (characters: number) => `repeat(E'\\x01', ${characters})`

/** Creates more rows than a person can make, past the limits. */
async function fill(userId: number): Promise<typeof ids> {
  const line = `${growText(240)} || n`
  // Items hold no control characters. A character of three bytes is their largest.
  const wide = (characters: number) => `repeat('字', ${characters})`
  const item = `'name', ${wide(maxLine)}, 'code', ${wide(maxCode)}, 'article', ${wide(maxCode)}, 'barcode', ${wide(maxCode)}`
  await run('alter table parcel_events disable trigger trim')
  await run('alter table lead_history disable trigger trim')
  await run(
    `insert into parcels (orderno, owner_id, day, status_code, status_title, eventtime, barcode, type_name, service_name,
       person, company, phone, address, town, items)
     select 'P' || n, $1, current_date, 'PENDING', ${line}, now(), ${growText(100)}, ${line}, ${line},
       ${line}, ${line}, case when n = 1 then '1234' else ${growText(100)} end, ${growText(1000)}, ${line},
       (select jsonb_agg(jsonb_build_object(${item})) from generate_series(1, ${maxParcelItems}))
     from generate_series(1, 300) n`,
    [userId],
  )
  const [parcel] = await run<{ id: number }>(`select id from parcels where orderno = 'P1'`)
  await run(
    `insert into parcel_notes (parcel_id, user_id, text) select $1, $2, ${growText(2000)} from generate_series(1, 5000)`,
    [parcel?.id, userId],
  )
  await run(
    `insert into parcel_events (parcel_id, code, raw_code, title, eventtime)
     select $1, 'PENDING', ${growText(90)} || n, ${growText(255)}, now() from generate_series(1, 5000) n`,
    [parcel?.id],
  )
  const [source] = await run<{ id: number }>(
    `insert into cpa_sources (name, url) values ('N', 'https://n.example') returning id`,
  )
  await run(
    `insert into role_source_access (role_id, source_id) select role_id, $2 from users where id = $1`,
    [userId, source?.id],
  )
  await run(
    `insert into streams (name, url, source_id, user_id) select ${line}, 'https://n.example', $2, $1
     from generate_series(1, 300) n`,
    [userId, source?.id],
  )
  await run(
    `insert into leads (source_id, external_id, stream_id, source_status, payout, comment, subs, day, created_at, updated_at)
     select $1, ${line}, (select min(id) from streams), ${growText(100)}, 1, ${growText(2000)},
       (select jsonb_object_agg('sub' || s, ${growText(1000)}) from generate_series(1, 17) s), current_date, now(), now()
     from generate_series(1, 300) n`,
    [source?.id],
  )
  const [lead] = await run<{ id: number }>('select min(id) as id from leads')
  await run(
    `insert into lead_history (lead_id, source_status, payout, origin, reason, source_time)
     select $1, ${growText(100)}, 1, 'file', ${growText(250)}, now() from generate_series(1, 5000)`,
    [lead?.id],
  )
  await run(
    `insert into sessions (user_id, token_hash, address, user_agent, expires_at)
     select $1, sha256(n::text::bytea), '::1', ${growText(300)}, now() + interval '1 day' from generate_series(1, 5000) n`,
    [userId],
  )
  await run(
    `insert into courier_accounts (name, url, login, user_id) values ('C', 'https://c.example', 'c', $1)`,
    [userId],
  )
  await run(
    `insert into settlement_acts (courier_account_id, code, number, act_date, currency, content_hash)
     select max(c.id), n::text, ${line}, current_date, 'UZS', '' from courier_accounts c, generate_series(1, 300) n group by n`,
  )
  await run(
    `insert into settlement_lines (act_id, orderno, occurrence, parcel_id, collected, delivery_fee, cash_fee, due,
       pay_type, status_title)
     select a.id, ${growText(100)}, n, p.id, 1, 1, 1, 1, ${growText(255)}, ${growText(255)}
     from settlement_acts a, generate_series(1, 300) n, parcels p where p.orderno = 'P1' and (a.code = '1' or n = 1)`,
  )
  const [act] = await run<{ id: number }>(`select id from settlement_acts where code = '1'`)
  await run(
    `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount)
     select 'adjustment', n, kind, ref_id, 'UZS', amount
     from generate_series(1, 300) n, (values ('person', $1, -1), ('adjustments', 0, 1)) a (kind, ref_id, amount)`,
    [userId],
  )
  const [statement] = await run<{ id: number }>(
    `insert into statements (user_id, currency, start_date, end_date, starts_at, ends_at, opening, earned, reversed, fees,
       adjusted, paid, closing, entries, closed_by)
     values ($1, 'UZS', current_date, current_date, current_date, current_date + 1, 0, 0, 0, 0, 300, 0, 300, 300, $1) returning id`,
    [userId],
  )
  await run('alter table parcel_events enable trigger trim')
  await run('alter table lead_history enable trigger trim')
  return { parcel: parcel?.id ?? 0, lead: lead?.id ?? 0, act: act?.id ?? 0, statement: statement?.id ?? 0 }
}

beforeAll(async () => {
  product = await createTestApp()
  const admin = await signInAdmin(product.app)
  person = await createUser(product.app, admin, 'buyer')
  ids = await fill(await readId(product.app, admin, '/api/admin/users/?username=buyer'))
})
afterAll(() => product.close())

// Answers no data, or data of the whole process.
const excludedIds = new Set(['app.metrics', 'postbacks.receive', 'imports.orders-template'])
const reading = calls.filter(
  ({ id, guard, method }) => guard !== 'admin' && method === 'GET' && !excludedIds.has(id),
)

function getRowId(callId: string): number {
  if (callId.startsWith('settlements')) return ids.act
  if (callId.startsWith('money.statement')) return ids.statement
  return callId.startsWith('leads') ? ids.lead : ids.parcel
}

function addressOf(call: Call): string {
  const { properties = {} } = (call.query ?? {}) as { properties?: Record<string, unknown> }
  const path = call.path.replace(':orderno', 'P1').replace(':id', String(getRowId(call.id)))
  if ('per_page' in properties) return `${path}?per_page=${maxPageSize}`
  return 'phone' in properties ? `${path}?phone=1234` : path
}

test.each(reading)(
  'the answer of $id stays below the size limit, however many rows a person has',
  async (call) => {
    const answer = await callApi(product.app, call.guard === 'public' ? null : person, 'GET', addressOf(call))
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.length).toBeLessThan(maxDatabaseRowBytes)
  },
)

describe('Histories and notes', () => {
  test('histories and notes come with their row up to a limit, with their total', async () => {
    const parcel = (await callApi(product.app, person, 'GET', `/api/parcel/parcels/${ids.parcel}`)).json<{
      notes: unknown[]
    }>()
    expect(parcel).toMatchObject({ history_total: 5000, notes_total: 5000 })
    expect(parcel.notes).toHaveLength(maxHistoryShown)
    const lead = (await callApi(product.app, person, 'GET', `/api/user/leads/${ids.lead}`)).json<{
      history: unknown[]
    }>()
    expect(lead).toMatchObject({ history_total: 5000 })
    expect(lead.history).toHaveLength(maxHistoryShown)
  })

  test.each([
    ['events', () => `/api/parcel/parcels/${ids.parcel}/history/`],
    ['notes', () => `/api/parcel/parcels/${ids.parcel}/notes/`],
    ['changes of a lead', () => `/api/user/leads/${ids.lead}/history/`],
  ])('long histories and notes have a paged list of their own: %s', async (_, url) => {
    const page = (await callApi(product.app, person, 'GET', `${url()}?per_page=7&page=2`)).json<object>()
    expect(page).toMatchObject({ meta: { total: 5000, filtered_total: 5000, items_on_page: 7 } })
    const emptyPage = (
      await callApi(product.app, person, 'GET', `${url()}?search=nothing-like-it`)
    ).json<object>()
    expect(emptyPage).toMatchObject({ items: [], meta: { total: 5000, filtered_total: 0 } })
  })

  test('a full history keeps its newest entries when one more arrives', async () => {
    await run(
      `insert into parcel_events (parcel_id, code, raw_code, title, eventtime)
       values ($1, 'DELIVERED', 'COMPLETE', 'Delivered', now() + interval '1 minute')`,
      [ids.parcel],
    )
    await run(
      `insert into lead_history (lead_id, source_status, payout, origin, source_time) values ($1, 'newest', 1, 'file', now())`,
      [ids.lead],
    )
    expect(
      await run(
        `select (select count(*) from parcel_events where parcel_id = $1)::int as events,
           (select count(*) from parcel_events where parcel_id = $1 and raw_code = 'COMPLETE')::int as newest_event,
           (select count(*) from lead_history where lead_id = $2)::int as changes,
           (select count(*) from lead_history where lead_id = $2 and source_status = 'newest')::int as newest_change`,
        [ids.parcel, ids.lead],
      ),
    ).toEqual([{ events: maxHistoryKept, newest_event: 1, changes: maxHistoryKept, newest_change: 1 }])
  })
})

describe('Notes', () => {
  const note = (id: number, text: string, as = person) =>
    callApi(product.app, as, 'POST', `/api/parcel/parcels/${id}/notes/`, { text })

  test('a note on a parcel with the maximum number of notes is refused with 409', async () => {
    const [row] = await run<{ id: number }>(`select id from parcels where orderno = 'P2'`)
    const id = row?.id ?? 0
    await run(
      `insert into parcel_notes (parcel_id, user_id, text) select $1, owner_id, 'x' from parcels, generate_series(2, $2::int)
       where id = $1`,
      [id, maxNotes],
    )
    const answers = await Promise.all([note(id, 'one'), note(id, 'two')])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409])
  })

  test('a note with control characters is refused with 422', async () => {
    expect((await note(ids.parcel, 'a\u0001b')).statusCode).toBe(422)
    expect((await note(ids.parcel, 'a\u009bb')).statusCode).toBe(422)
  })

  test('the notes of one person are limited with 429, and those of others are not', async () => {
    let status = 0
    // The limit permits some more while the notes are sent.
    for (let n = 0; n < 2 * maxNotesPerPerson && status !== 429; n += 1)
      status = (await note(ids.parcel, 'x')).statusCode
    expect(status).toBe(429)
    const admin = await signInAdmin(product.app)
    const [row] = await run<{ id: number }>(`select id from parcels where orderno = 'P3'`)
    expect((await note(row?.id ?? 0, 'two\n\tlines', admin)).statusCode).toBe(201)
  })
})
