import type { listPostbacks } from '@karvon/contract/postbacks/postbacks.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { cutAddress } from '../../platform/limits/address-key.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'
import { maskParams, type PostbackParams } from './postbacks.params.ts'
import type { PostbackResult } from './postbacks.result.ts'

/** The validated query of the list. */
type PostbackQuery = QueryOf<typeof listPostbacks>

/** The JSON fields of a postback, from the row `p`. */
const columns = `p.id, p.at, p.source_id,
  ${buildNamedJson('cpa_sources', 'p.source_id')} as source,
  p.method, p.address, p.params, p.external_id, p.source_status, p.outcome, p.reason, p.detail, p.lead_id, p.replayed_at`

const exactColumns = {
  id: 'p.id',
  at: 'p.at',
  address: 'p.address',
  source_status: 'p.source_status',
  lead_id: 'p.lead_id',
  replayed_at: 'p.replayed_at',
}

/** The log of postbacks. */
export function buildPostbackList(query: PostbackQuery): ListDeclaration {
  return {
    table: 'postbacks',
    alias: 'p',
    partitionKey: 'at',
    planning: 'constants',
    item: { columns },
    where: new Where()
      .andEqual(exactColumns, query)
      .and('p.source_id = ?', query.source_id)
      .and('p.outcome = ?', query.outcome)
      .and('p.reason = ?', query.reason)
      .and('p.external_id = ?', query.external_id)
      .and('p.external_id ^@ ?', query.search)
      .andDays('p.at', query),
    order: buildOrderBy({
      columns: { id: 'p.id', at: 'p.at' },
      sort: query.sort,
      defaultSort: '-at',
      tieBreaker: 'p.id',
      notNullKeys: ['at'],
    }),
  }
}

const postbackSql = `select row_to_json(j)::text as row from (select ${columns} from postbacks p where p.id = $1) j`

/** Reads a postback as JSON text. */
export async function readPostback(db: Db, id: number): Promise<string> {
  const rows = await queryRows<{ row: string }>(db, postbackSql, [id])
  return rows[0]?.row ?? ''
}

export interface PostbackSource {
  id: number
  is_active: boolean
  postback_key: string
}

export interface RequestSource extends PostbackSource {
  received_at: string
}

/** Finds the source of a postback's key, with the time by the database's clock. */
export async function findSourceByKey(pool: pg.Pool, key: string): Promise<RequestSource | null> {
  const { rows } = await pool.query<RequestSource>({
    name: 'postback_source',
    text: `select id, is_active, postback_key, clock_timestamp() as received_at
      from cpa_sources where postback_key = $1`,
    values: [key],
  })
  return rows[0] ?? null
}

/** A postback for the log. `source` is null where no source has the key of the request. */
interface PostbackRecord {
  request: Pick<FastifyRequest, 'method' | 'ip'>
  source: Pick<RequestSource, 'id' | 'postback_key' | 'received_at'> | null
  params: PostbackParams
  result: PostbackResult
}

/** Inserts one postback and its result into the log. */
export async function insertPostback(
  db: Db,
  { request, source, params, result }: PostbackRecord,
): Promise<void> {
  const { error: _error, ...outcome } = result
  await db
    .insertInto('postbacks')
    .values({
      ...(source !== null && { at: source.received_at }),
      source_id: source?.id ?? null,
      method: request.method,
      address: cutAddress(request.ip),
      params: JSON.stringify(maskParams(params, source?.postback_key ?? null)),
      ...outcome,
    })
    .execute()
}

/** A stored lead that a postback reports again. */
export type ExistingLead = NonNullable<Awaited<ReturnType<typeof findLeadForUpdate>>>

/** Locks the row, so that values which the postback omits do not change before the ingest. */
export const findLeadForUpdate = (
  trx: Db,
  {
    sourceId,
    externalId,
    createdAt = null,
  }: { sourceId: number; externalId: string; createdAt?: string | null | undefined },
) =>
  trx
    .selectFrom('leads')
    .select([
      'id',
      'source_status',
      'status_id',
      'payout',
      'currency',
      'created_at',
      'updated_at',
      'stream_id',
      'comment',
      'region',
      'cancel_reason',
      'subs',
      sql<boolean | null>`created_at = ${createdAt}::timestamptz`.as('has_same_created_at'),
    ])
    .where('source_id', '=', sourceId)
    .where('external_id', '=', externalId)
    .forUpdate()
    .executeTakeFirst()

/** Finds a stream of the source by our id, else by the network's id, else by name; the oldest of several. */
export async function findStreamId(trx: Db, sourceId: number, click: string): Promise<number | null> {
  const id = /^\d{1,15}$/.test(click) ? Number(click) : 0
  const { rows } = await sql<{ id: number }>`select id from streams
    where source_id = ${sourceId} and (id = ${id} or extra_id = ${click} or name = ${click})
    order by id = ${id} desc, extra_id = ${click} desc nulls last, id limit 1`.execute(trx)
  return rows[0]?.id ?? null
}

export const findPostbackForUpdate = (trx: Db, id: number) =>
  trx.selectFrom('postbacks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findPostbackSource = (db: Db, id: number | null) =>
  db
    .selectFrom('cpa_sources')
    .select(['id', 'is_active', 'postback_key'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Stores the new result of a logged postback. */
export async function updateReplayedPostback(
  trx: Db,
  id: number,
  result: Omit<PostbackResult, 'error'>,
): Promise<void> {
  await trx
    .updateTable('postbacks')
    .set({ ...result, replayed_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
