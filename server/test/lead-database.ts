import type pg from 'pg'
import { openDb, openPool, type Db } from '../src/platform/database/pool.ts'
import type { LeadInput } from '../src/domains/leads/leads.types.ts'
import { seedDefaultMappings } from '../src/domains/leads/leads.default-mappings.ts'
import { createTestDatabase, TEST_TIMEZONE } from './database.ts'

/** A separate test database for tests that call the ingest directly. */
export interface LeadDatabase {
  db: Db
  pool: pg.Pool
  url: string
  /** Creates a source with the default mappings. */
  newSource(): Promise<number>
  /** Creates a role that may see the source, and people with it. Call it once. */
  newBuyers(source: number, count: number): Promise<{ userId: number; roleId: number }[]>
  /** The number of rows of a table, or of `table where condition`. */
  countRows(from: string): Promise<number>
  /** The leads of a source in order of external id, with names of references and times in UTC. */
  storedLeads(source: number): Promise<Record<string, unknown>[]>
  /** The id of a built-in status by name. */
  statusId(name: string): Promise<number>
  /** The source statuses in the history of a lead, oldest first. */
  statusHistory(source: number, externalId: string): Promise<string[]>
  close(): Promise<void>
}

export async function openLeadDatabase(): Promise<LeadDatabase> {
  const database = await createTestDatabase()
  const { url, poolerUrl } = database
  const isBehindPooler = poolerUrl !== undefined
  const pool = openPool(poolerUrl ?? url, { timezone: TEST_TIMEZONE, max: 8, isBehindPooler })
  const db = openDb(pool)
  return {
    db,
    pool,
    url,
    async newSource() {
      const { id } = await db
        .insertInto('cpa_sources')
        .values({ name: 'Network', url: 'https://network.example' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await seedDefaultMappings(db, id)
      return id
    },
    async newBuyers(source, count) {
      const { rows } = await pool.query<{ userId: number; roleId: number }>(
        `with r as (insert into roles (name, code) values ('Buyer', 'buyer') returning id),
           a as (insert into role_source_access (role_id, source_id) select id, $1 from r)
         insert into users (username, name, email, password_hash, role_id)
         select 'buyer' || n, 'Buyer', 'buyer' || n || '@example.uz', '', id from r, generate_series(1, $2) n
         returning id as "userId", role_id as "roleId"`,
        [source, count],
      )
      return rows
    },
    async countRows(from) {
      const { rows } = await pool.query<{ n: number }>(`select count(*)::integer as n from ${from}`)
      return rows[0]?.n ?? 0
    },
    async storedLeads(source) {
      const { rows } = await pool.query<Record<string, unknown>>(storedText, [source])
      return rows
    },
    async statusId(name) {
      const query = db.selectFrom('statuses').select('id').where('name', '=', name)
      return (await query.executeTakeFirstOrThrow()).id
    },
    async statusHistory(source, externalId) {
      const { rows } = await pool.query<{ source_status: string }>(
        `select h.source_status from lead_history h join leads l on l.id = h.lead_id
         where l.source_id = $1 and l.external_id = $2 order by h.id`,
        [source, externalId],
      )
      return rows.map(({ source_status }) => source_status)
    },
    async close() {
      await pool.end()
      await database.drop()
    },
  }
}

const utcText = (column: string) =>
  `to_char(l.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${column}`
const storedText = `select l.external_id, l.source_status, st.code as column, l.payout::text, l.currency, l.comment, l.subs, l.is_status_overridden, l.day,
    ${utcText('created_at')}, ${utcText('updated_at')}, o.name as offer, s.name as stream
  from leads l left join offers o on o.id = l.offer_id left join streams s on s.id = l.stream_id
    left join statuses on statuses.id = l.status_id left join status_types st on st.id = statuses.type_id
  where l.source_id = $1 order by l.external_id collate "C"`

/** Source statuses of six report columns, and one without a mapping. */
export const sourceStatuses = ['accepted', 'sent', 'sold', 'client_returned', 'hold', 'trash', 'strange']

/** Builds an accepted lead as a source reports it; `overrides` replaces values. */
export const buildLead = (external_id: string, overrides: Partial<LeadInput> = {}): LeadInput => ({
  external_id,
  source_status: 'accepted',
  payout: '10',
  currency: 'UZS',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  offer: null,
  offer_extra_id: null,
  stream: null,
  stream_extra_id: null,
  comment: null,
  ...overrides,
})
