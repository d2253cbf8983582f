import type { listUploads } from '@karvon/contract/uploads/uploads.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { sql, type Insertable } from 'kysely'
import type pg from 'pg'
import { readItem } from '../../resources/lists.answer.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { notFound } from '../../platform/http/errors.ts'

const sortable = {
  id: 'u.id',
  created_at: 'u.created_at',
  name: 'u.name',
  size: 'u.size',
  status: 'u.status',
  attempts: 'u.attempts',
  next_at: 'u.next_at',
  sent_at: 'u.sent_at',
}

type UploadQuery = QueryOf<typeof listUploads>

/** An upload for the wire, from the row `u`. */
const uploadJson = `json_build_object('id', u.id, 'name', u.name, 'extension', u.extension, 'size', u.size,
  'description', u.description,
  'user', ${buildNamedJson('users', 'u.user_id')},
  'status', u.status, 'attempts', u.attempts, 'last_error', u.last_error, 'unsure', u.unsure,
  'next_at', case when u.status = 'queued' then u.next_at end, 'sent_at', u.sent_at, 'created_at', u.created_at,
  'file_removed_at', u.file_removed_at)`

/** Reads an upload for the wire. */
export const readUpload = (trx: Db, id: number) =>
  readItem(trx, `select (${uploadJson})::text as item from uploads u where u.id = $1`, id)

/** Reads the row of an upload. `lock` locks it until the end of the transaction. Errors: 404. */
export async function readUploadRow(db: Db, id: number, lock?: 'update') {
  const columns = ['name', 'sha256', 'status', 'infected_with', 'file_removed_at'] as const
  const row = await db
    .selectFrom('uploads')
    .select(columns)
    .where('id', '=', id)
    .$if(lock === 'update', (query) => query.forUpdate())
    .executeTakeFirst()
  if (row === undefined) throw notFound('upload')
  return row
}

/** The list of uploads. */
export function buildUploadList(query: UploadQuery): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  return {
    table: 'uploads',
    alias: 'u',
    item: { json: uploadJson },
    where: new Where()
      .andEqual({ ...sortable, extension: 'u.extension' }, query)
      .and('u.user_id = ?', query.user_id)
      .and('u.unsure = ?', query.unsure)
      .andDays('u.created_at', query)
      .and('u.name ~* ?', pattern),
    order: buildOrderBy({
      columns: sortable,
      sort: query.sort,
      defaultSort: '-id',
      tieBreaker: 'u.id',
      textKeys: ['name'],
    }),
  }
}

type NewUploadRow = Omit<Insertable<Tables['uploads']>, 'next_at'>

/** Inserts an upload, which the job sends after `seconds` at the earliest. Answers its id. */
export async function insertUpload(trx: Db, row: NewUploadRow, seconds: number): Promise<number> {
  const next_at = sql<string>`now() + make_interval(secs => ${seconds})`
  const createdUpload = await trx
    .insertInto('uploads')
    .values({ ...row, next_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return createdUpload.id
}

/** Whether an upload has a file in the data folder. */
export async function hasStoredFiles(db: Db): Promise<boolean> {
  const upload = await db
    .selectFrom('uploads')
    .select('id')
    .where('infected_with', 'is', null)
    .where('file_removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return upload !== undefined
}

/** The files that uploads need, each with the id of its first upload. */
export async function readStoredFiles(client: pg.ClientBase): Promise<{ sha256: string; id: number }[]> {
  const { rows } = await client.query<{ sha256: string; id: number }>(
    'select sha256, min(id) as id from uploads where infected_with is null and file_removed_at is null group by sha256 order by sha256',
  )
  return rows
}
