import type pg from 'pg'
import { openDb, openPool, type Db } from '../src/platform/database/pool.ts'
import type { LeadTold } from '../src/domains/leads/leads.lead.ts'
import { seedWords } from '../src/domains/leads/leads.words.ts'
import { createTestDatabase, TEST_TIMEZONE } from './database.ts'

/** A database of its own for leads that come in below HTTP. */
export interface Intake {
  db: Db
  pool: pg.Pool
  /** A source with the usual words. */
  newSource(): Promise<number>
  /** Its leads by external id, references by name, times in UTC. */
  stored(source: number): Promise<Record<string, unknown>[]>
  /** The id of a status by its name, one of those that come with the product. */
  status(name: string): Promise<number>
  /** The words of a lead's history, oldest first. */
  history(source: number, externalId: string): Promise<string[]>
  close(): Promise<void>
}

export async function openIntake(): Promise<Intake> {
  const database = await createTestDatabase()
  const pool = openPool(database.url, { timezone: TEST_TIMEZONE, max: 8 })
  const db = openDb(pool)
  return {
    db,
    pool,
    async newSource() {
      const { id } = await db
        .insertInto('cpa_sources')
        .values({ name: 'Network', url: 'https://network.example' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await seedWords(db, id)
      return id
    },
    async stored(source) {
      const { rows } = await pool.query<Record<string, unknown>>(storedText, [source])
      return rows
    },
    async status(name) {
      const found = db.selectFrom('statuses').select('id').where('name', '=', name)
      return (await found.executeTakeFirstOrThrow()).id
    },
    async history(source, externalId) {
      const { rows } = await pool.query<{ word: string }>(
        `select h.word from lead_history h join leads l on l.id = h.lead_id
         where l.source_id = $1 and l.external_id = $2 order by h.id`,
        [source, externalId],
      )
      return rows.map(({ word }) => word)
    },
    async close() {
      await pool.end()
      await database.drop()
    },
  }
}

const utc = (column: string) =>
  `to_char(l.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${column}`
const storedText = `select l.external_id, l.word, st.code as column, l.payout::text, l.currency, l.comment, l.subs, l.by_word, l.day,
    ${utc('created_at')}, ${utc('updated_at')}, o.name as offer, s.name as stream
  from leads l left join offers o on o.id = l.offer_id left join streams s on s.id = l.stream_id
    left join statuses on statuses.id = l.status_id left join status_types st on st.id = statuses.type_id
  where l.source_id = $1 order by l.external_id collate "C"`

/** A lead as a source tells of it, accepted, unless `more` says otherwise. */
export const lead = (external_id: string, more: Partial<LeadTold> = {}): LeadTold => ({
  external_id,
  word: 'accepted',
  payout: '10',
  currency: 'UZS',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  offer: null,
  offer_extra_id: null,
  stream: null,
  stream_extra_id: null,
  comment: null,
  ...more,
})
