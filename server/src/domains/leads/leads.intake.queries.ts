import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { followed } from './leads.history.queries.ts'
import type { LeadOrigin, LeadTold } from './leads.lead.ts'
import { meaningOf } from './leads.mapping.queries.ts'

/** A lead whose offer and stream are resolved. */
export interface Arriving extends LeadTold {
  offer_id: number | null
  stream_id: number | null
}

/** How far a state is on a lead's way; 0 for none. */
const progress = (code: string) =>
  sql.raw(
    `coalesce(array_position(array['hold','accepted','recall','send','cancel','sold','returned'], ${code}), 0)`,
  )

/** The total order of what can be told of one lead; see `takeIn`. */
const standing = (t: string) =>
  sql.raw(`${t}.updated_at, not ${t}.by_word, ${t}.progress, ${t}.word collate "C", ${t}.payout,
    ${t}.currency collate "C", ${t}.created_at, coalesce(${t}.comment, '') collate "C",
    coalesce(${t}.subs, '{}'), coalesce(${t}.offer_id, 0), coalesce(${t}.stream_id, 0)`)

const falling = sql.raw(`t.updated_at desc, t.progress desc, t.word collate "C" desc, t.payout desc,
  t.currency collate "C" desc, t.created_at desc, coalesce(t.comment, '') collate "C" desc,
  coalesce(t.subs, '{}') desc, coalesce(t.offer_id, 0) desc, coalesce(t.stream_id, 0) desc`)

/** CTEs that end in `folded`: one row a lead, its word resolved. */
function foldedOf(sourceId: number, leads: readonly Arriving[]): RawBuilder<unknown> {
  const all = <T>(pick: (lead: Arriving) => T) => leads.map(pick)
  return sql`
    told as materialized (
      select * from unnest(
        ${all((lead) => lead.external_id)}::text[], ${all((lead) => lead.word)}::text[],
        ${all((lead) => lead.payout)}::numeric[], ${all((lead) => lead.currency)}::text[],
        ${all((lead) => lead.created_at)}::timestamptz[],
        ${all((lead) => lead.updated_at ?? lead.created_at)}::timestamptz[],
        ${all((lead) => lead.offer_id)}::bigint[], ${all((lead) => lead.stream_id)}::bigint[],
        ${all((lead) => lead.comment)}::text[], ${all((lead) => (lead.subs ? JSON.stringify(lead.subs) : null))}::jsonb[]
      ) as t (external_id, word, payout, currency, created_at, updated_at, offer_id, stream_id, comment, subs)
    ),
    words as materialized (
      select w.word, mapped.status_id, ${progress('mapped.code')} as progress
      from (select distinct word from told) w
      left join lateral (${meaningOf(sourceId, sql`w.word`)}) mapped on true
    ),
    resolved as (select told.*, words.status_id, words.progress, true as by_word from told join words using (word)),
    folded as (${new Set(all((lead) => lead.external_id)).size === leads.length ? distinct : repeated})`
}

const distinct = sql`select * from resolved`

/** Of several tellings of one lead the greatest, with what only another tells. */
const repeated = sql`
  select distinct on (t.external_id) t.external_id, t.word, t.status_id, t.progress, t.by_word, t.payout,
    t.currency, t.created_at, t.updated_at,
    ${sql.join((['offer_id', 'stream_id', 'comment', 'subs'] as const).map(toldOf))}
  from resolved t
  order by t.external_id, ${falling}`

function toldOf(column: 'offer_id' | 'stream_id' | 'comment' | 'subs') {
  const value = sql.ref(`t.${column}`)
  return sql`first_value(${value}) over (partition by t.external_id order by ${value} is null, ${falling})
    as ${sql.ref(column)}`
}

/** Which of the leads are there already, as far as can be seen: others may be bringing more of them. */
export async function seen(trx: Db, sourceId: number, leads: readonly Arriving[]): Promise<Set<string>> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from leads
    where source_id = ${sourceId} and external_id = any(${leads.map((lead) => lead.external_id)}::text[])`.execute(
    trx,
  )
  return new Set(rows.map((row) => row.external_id))
}

/** Inserts the leads that are not there yet, in order; answers their external ids. */
export async function insertNew(
  trx: Db,
  sourceId: number,
  leads: readonly Arriving[],
  from: LeadOrigin,
): Promise<Set<string>> {
  if (leads.length === 0) return new Set()
  const { rows } = await sql<{ external_id: string }>`
    with ${foldedOf(sourceId, leads)},
    changed as (
      insert into leads (source_id, external_id, offer_id, stream_id, word, status_id, payout, currency, comment,
        subs, day, created_at, updated_at)
      select ${sourceId}, external_id, offer_id, stream_id, word, status_id, payout, currency, comment,
        subs, created_at::date, created_at, updated_at
      from folded order by external_id
      on conflict (source_id, external_id) do nothing
      returning id, external_id, stream_id, word, status_id, payout, updated_at as source_time,
        null::text as old_word, null::bigint as old_status_id, null::numeric as old_payout
    ),
    ${followed(from)}
    select external_id from changed`.execute(trx)
  return new Set(rows.map((row) => row.external_id))
}

/** What stands in a lead's row, by which a change is a change; the time of a state that nothing changed is none. */
const stored = `word status_id by_word payout currency comment subs offer_id stream_id created_at`.split(' ')
const storedOf = (prefix: string) => sql.raw(stored.map((column) => `${prefix}${column}`).join(', '))
const before = sql.raw(stored.map((column) => `k.${column} as old_${column}`).join(', '))

/**
 * Merges what is told of known leads into them and answers how many changed. A word that the lead had already
 * when somebody other than the source said its state leaves that state.
 *
 * The rows are locked in the order in which every batch does, and read as their last writer left them: that is
 * what `for update` answers, whatever the statement saw when it began.
 */
export async function mergeKnown(
  trx: Db,
  sourceId: number,
  leads: readonly Arriving[],
  from: LeadOrigin,
): Promise<number> {
  if (leads.length === 0) return 0
  const { rows } = await sql<{ updated: number }>`
    with ${foldedOf(sourceId, leads)},
    locked as materialized (
      select * from leads
      where source_id = ${sourceId} and external_id = any(${leads.map((lead) => lead.external_id)}::text[])
      order by external_id for update
    ),
    known as (
      select l.*, ${progress('st.code')} as progress
      from locked l
      left join statuses s on s.id = l.status_id
      left join status_types st on st.id = s.type_id
    ),
    merged as materialized (
      select k.id, ${before}, k.updated_at as old_updated_at,
        win.word, win.status_id, win.by_word, win.payout, win.currency, win.created_at, win.updated_at,
        win.updated_at as source_time,
        ${keeping('offer_id')}, ${keeping('stream_id')}, ${keeping('comment')}, ${keeping('subs')}
      from folded f
      join known k on k.external_id = f.external_id
      cross join lateral (select (${standing('f')}) > (${standing('k')}) as newer,
        k.by_word or lower(f.word) <> lower(k.word) as by_word) c
      cross join lateral (
        select f.word, case when c.by_word then f.status_id else k.status_id end as status_id, c.by_word,
          f.payout, f.currency, f.created_at, f.updated_at where c.newer
        union all
        select k.word, k.status_id, k.by_word, k.payout, k.currency, k.created_at, k.updated_at where not c.newer
      ) win
    ),
    changed as (
      update leads l set word = m.word, status_id = m.status_id, by_word = m.by_word, payout = m.payout,
        currency = m.currency, comment = m.comment, subs = m.subs, offer_id = m.offer_id, stream_id = m.stream_id,
        day = m.created_at::date, created_at = m.created_at, updated_at = m.updated_at
      from merged m
      where l.id = m.id
        and (${storedOf('m.old_')}, m.old_updated_at) is distinct from (${storedOf('m.')}, m.updated_at)
      returning m.*
    ),
    ${followed(from)}
    select count(*) as updated from changed where (${storedOf('')}) is distinct from (${storedOf('old_')})
  `.execute(trx)
  return rows[0]?.updated ?? 0
}

/** What a lead does not tell stays as it was known, whichever of the two is newer. */
const keeping = (column: string) =>
  sql.raw(`case when c.newer then coalesce(f.${column}, k.${column}) else coalesce(k.${column}, f.${column}) end
    as ${column}`)
