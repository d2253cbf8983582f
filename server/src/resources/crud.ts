import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { normalise, type Resource } from '@karvon/contract/lib/resource.ts'
import { pageMeta } from '@karvon/contract/lib/page.ts'
import type { FastifyInstance } from 'fastify'
import { CompiledQuery } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import type { Hooks } from './crud.hooks.ts'
import { lister } from './crud.list.ts'
import { Secrets } from './crud.secrets.ts'
import { rowText } from './crud.queries.ts'
import { deleteRow, insertRow, updateRow, type Writer } from './crud.write.ts'
import type { Deps } from '../platform/deps.ts'
import { notFound } from '../platform/http/errors.ts'
import { tableOf } from '../platform/database/pg-errors.ts'
import { RawJson } from '../platform/http/raw-json.ts'
import { serve } from '../platform/http/serve.ts'
import { answerTransaction, inTransaction } from '../platform/database/transaction.ts'

type Row = Record<string, unknown>

/**
 * Serves a resource's calls: list, get, create, update and, where it has it, delete. Each change is one
 * transaction with its line in the audit log. `hooks` hold what sets the resource apart.
 * Errors: 404, 409 (duplicate, in use), 422, and what the hooks throw.
 */
export function crud<R, C, U>(
  app: FastifyInstance,
  deps: Deps,
  resource: Resource<R, C, U>,
  hooks: Hooks<U & Row> = {},
): void {
  const { db, pool } = deps
  const calls = resourceCalls(resource)
  const { fields, quirks } = resource
  const table = tableOf(resource)
  const extra = hooks.extra ?? {}
  const secrets = new Secrets(deps.seal, table, fields)
  const writer: Writer<U & Row> = { resource, secrets, hooks }
  const one = rowReader(deps, resource, hooks, secrets)
  const prepare = (mode: 'create' | 'update') => (body: Row) => normalise(fields, body, mode)
  const list = lister(pool, resource, extra, secrets.present)

  serve(app, calls.list, ({ query }) => list(query))

  serve(app, calls.get, async ({ params }) => {
    const row = await one(idOf(params))
    if (!quirks.firstOfItems) return new RawJson(row)
    const meta = pageMeta({ offset: 0, size: quirks.pageSize, items: 1, total: 1, filtered: 1 })
    return new RawJson(`{"items":[${row}],"meta":${JSON.stringify(meta)}}`)
  })

  serve(
    app,
    calls.create,
    async ({ body, person }) => {
      const answer = await answerTransaction(db, async (trx) => {
        const id = await insertRow(writer, trx, body as U & Row, person)
        return new RawJson(await one(id, trx))
      })
      await hooks.committed?.()
      return answer
    },
    { fields, prepare: prepare('create') },
  )

  serve(
    app,
    calls.update,
    async ({ params, body, person }) => {
      const id = idOf(params)
      const answer = await answerTransaction(db, async (trx) => {
        await updateRow(writer, trx, id, body as U & Row, person)
        return new RawJson(await one(id, trx))
      })
      await hooks.committed?.()
      return answer
    },
    { fields, prepare: prepare('update') },
  )

  if (calls.delete === undefined) return
  serve(app, calls.delete, async ({ params, person }) => {
    const id = idOf(params)
    await inTransaction(db, (trx) => deleteRow(writer, trx, id, person))
    await hooks.committed?.()
    return { id }
  })
}

/** Reads one row as the wire's JSON text, within a transaction where one is given. Errors: 404. */
export function rowReader<U>(deps: Deps, resource: Resource, hooks: Hooks<U>, secrets?: Secrets) {
  const statement = rowText(resource, hooks.extra)
  const present = secrets?.present
  return async (id: number, db: Db = deps.db): Promise<string> => {
    const found = await db.executeQuery<{ row: string }>(CompiledQuery.raw(statement, [id]))
    const text = found.rows[0]?.row
    if (text === undefined) throw notFound(resource.noun.one)
    return present ? JSON.stringify(present(JSON.parse(text) as Row)) : text
  }
}

const idOf = (params: unknown): number => (params as { id: number }).id
