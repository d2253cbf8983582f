import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { normaliseBody } from '@karvon/contract/lib/resource.body.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { buildPageMeta } from '@karvon/contract/lib/page.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../platform/database/pool.ts'
import { queryRows } from '../platform/database/rows.ts'
import type { Hooks } from './crud.hooks.ts'
import { createListReader } from './crud.list.ts'
import { SecretFields } from './crud.secrets.ts'
import { buildRowSql, type ExtraColumns } from './crud.queries.ts'
import { deleteRow, insertRow, updateRow, type WriteOptions } from './crud.write.ts'
import type { Deps } from '../platform/deps.ts'
import { notFound } from '../platform/http/errors.ts'
import { getTableName } from '../platform/database/pg-errors.ts'
import { RawJson } from '../platform/http/raw-json.ts'
import { serve } from '../platform/http/serve.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { inTransactionStoringAnswer } from '../platform/http/idempotency.answers.ts'

type Row = Record<string, unknown>

/** A resource with its hooks. */
interface ServedResource<R, C, U> extends Hooks<U & Row> {
  resource: Resource<R, C, U>
}

/**
 * Serves the calls of a resource: list, get, create, update and, if declared, delete. Each change is one
 * transaction with one audit entry. The main file of server/src/resources, which serves any declared resource
 * and does not depend on a domain; domains give the hooks. Errors: 404, 409 (duplicate, in use), 422, and
 * those of the hooks.
 */
export function crud<R, C, U>(
  app: FastifyInstance,
  deps: Deps,
  { resource, ...hooks }: ServedResource<R, C, U>,
): void {
  const { db, pool } = deps
  const calls = resourceCalls(resource)
  const { fields, quirks } = resource
  const table = getTableName(resource)
  const extraColumns = hooks.extraColumns ?? {}
  const secrets = new SecretFields(deps.encryption, table, fields)
  const writeOptions: WriteOptions<U & Row> = { resource, secrets, hooks }
  const readRow = createRowReader(deps, { resource, extraColumns, secrets })
  const prepare = (mode: 'create' | 'update') => (body: Row) => normaliseBody(fields, body, mode)
  const list = createListReader(pool, {
    resource,
    extraColumns,
    transformRow: secrets.transformRow,
  })

  serve(app, calls.list, ({ query }) => list(query))

  serve(app, calls.get, async ({ params }) => {
    const row = await readRow(getId(params))
    if (!quirks.firstOfItems) return new RawJson(row)
    const meta = buildPageMeta({ offset: 0, size: quirks.pageSize, items: 1, total: 1, filtered: 1 })
    return new RawJson(`{"items":[${row}],"meta":${JSON.stringify(meta)}}`)
  })

  /** Writes a row in a transaction, and answers the row. `write` answers its id. */
  const answerWrite = async (write: (trx: Db) => Promise<number>) => {
    const answer = await inTransactionStoringAnswer(
      db,
      async (trx) => new RawJson(await readRow(await write(trx), trx)),
    )
    await hooks.afterCommit?.()
    return answer
  }

  serve(app, calls.create, {
    fields,
    prepare: prepare('create'),
    handler: ({ body, person }) =>
      answerWrite((trx) => insertRow(writeOptions, trx, { body: body as U & Row, person })),
  })

  serve(app, calls.update, {
    fields,
    prepare: prepare('update'),
    handler: ({ params, body, person }) =>
      answerWrite(async (trx) => {
        const id = getId(params)
        await updateRow(writeOptions, trx, { id, body: body as U & Row, person })
        return id
      }),
  })

  if (calls.delete === undefined) return
  serve(app, calls.delete, async ({ params, person }) => {
    const id = getId(params)
    await inTransaction(db, (trx) => deleteRow(writeOptions, trx, { id, person }))
    await hooks.afterCommit?.()
    return { id }
  })
}

/** Creates a function that reads one row as the JSON text of the API. Errors: 404. */
export function createRowReader(
  deps: Pick<Deps, 'db'>,
  {
    resource,
    extraColumns,
    secrets,
  }: { resource: Resource; extraColumns?: ExtraColumns; secrets?: SecretFields },
) {
  const statement = buildRowSql(resource, extraColumns)
  const transformRow = secrets?.transformRow
  return async (id: number, db: Db = deps.db): Promise<string> => {
    const rows = await queryRows<{ row: string }>(db, statement, [id])
    const text = rows[0]?.row
    if (text === undefined) throw notFound(resource.noun.one)
    return transformRow ? JSON.stringify(transformRow(JSON.parse(text) as Row)) : text
  }
}

const getId = (params: unknown): number => (params as { id: number }).id
