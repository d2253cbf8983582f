import { writable, type Resource } from '@karvon/contract/lib/resource.ts'
import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import { audit } from '../platform/audit/audit.ts'
import { changedMeanwhile, touched } from '../platform/database/conflict.ts'
import type { Hooks } from './crud.hooks.ts'
import type { Secrets } from './crud.secrets.ts'
import { notFound } from '../platform/http/errors.ts'
import type { Identity } from '../platform/http/guard.ts'
import { inUse } from './in-use.ts'
import { isReferred, tableOf } from '../platform/database/pg-errors.ts'

type Row = Record<string, unknown>

export interface Writer<Body> {
  resource: Resource
  secrets: Secrets
  hooks: Hooks<Body>
}

/** Inserts a row with all that belongs to it and answers its id. */
export async function insertRow<Body extends Row>(
  of: Writer<Body>,
  trx: Db,
  body: Body,
  person: Identity,
): Promise<number> {
  const { resource, secrets, hooks } = of
  await hooks.lock?.(trx)
  await hooks.before?.({ trx, body, person })
  const extra = (await hooks.columns?.({ trx, body, old: null, person })) ?? {}
  const values = Object.entries({ ...plainColumns(resource, body), ...extra })
  const into = sql.join(values.map(([key]) => sql.ref(key)))
  const made = await sql<{ id: number }>`insert into ${sql.table(tableOf(resource))} (${into})
    values (${sql.join(values.map(([, value]) => value))}) returning id`.execute(trx)
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error(`The insert into ${resource.name} answered no id`)
  // A seal binds the row's id, which is there only now.
  const sealed = secrets.sealed(body, id, null)
  await setColumns(resource, trx, id, { ...sealed, ...hooks.sealed?.(sealed) })
  const more = await hooks.written?.({ trx, body, old: null, person, id })
  await audit(trx, person, 'create', resource.name, id, null, { ...shown(resource, body), ...more?.new })
  return id
}

/** Changes what the body names. Errors: 404; 409 where the row is not as the body's `updated_at` says it was. */
export async function updateRow<Body extends Row>(
  of: Writer<Body>,
  trx: Db,
  id: number,
  body: Body,
  person: Identity,
): Promise<void> {
  const { resource, secrets, hooks } = of
  await hooks.lock?.(trx)
  await hooks.before?.({ trx, body, person })
  const old = await lockRow(resource, trx, id, body.updated_at)
  const extra = (await hooks.columns?.({ trx, body, old, person })) ?? {}
  const sealed = secrets.sealed(body, id, old)
  const { updated_at: _, ...named } = body
  await setColumns(resource, trx, id, {
    ...plainColumns(resource, body),
    ...extra,
    ...sealed,
    ...hooks.sealed?.(sealed),
    // Of what is stored elsewhere, too: the row tells that it changed.
    ...(Object.keys(named).length > 0 && { updated_at: touched }),
  })
  const more = await hooks.written?.({ trx, body, old, person, id })
  const after = changes(resource, body, old, sealed)
  const before = Object.fromEntries(Object.keys(after).map((key) => [key, hide(resource, key, old[key])]))
  if (Object.keys(after).length === 0 && !more) return
  await audit(
    trx,
    person,
    'update',
    resource.name,
    id,
    { ...before, ...more?.old },
    { ...after, ...more?.new },
  )
}

/** Errors: 404; 409 `in_use` while something refers to the row; what the hooks throw. */
export async function deleteRow<Body>(
  of: Writer<Body>,
  trx: Db,
  id: number,
  person: Identity,
): Promise<void> {
  const { resource, hooks } = of
  await hooks.lock?.(trx)
  const old = await lockRow(resource, trx, id)
  await hooks.removing?.(trx, { ...old, id })
  const table = tableOf(resource)
  await sql`savepoint before_delete`.execute(trx)
  try {
    await sql`delete from ${sql.table(table)} where id = ${id}`.execute(trx)
  } catch (error) {
    if (!isReferred(error)) throw error
    await sql`rollback to savepoint before_delete`.execute(trx)
    throw await inUse(trx, table, id)
  }
  await audit(trx, person, 'delete', resource.name, id, shown(resource, old), null)
}

async function lockRow(resource: Resource, trx: Db, id: number, asRead?: unknown): Promise<Row> {
  // Weaker than `for update`: rows that refer to this one may be written meanwhile.
  const found = await sql<{ row: Row; same: boolean }>`
    select to_jsonb(t) as row, coalesce(updated_at = ${asRead ?? null}::timestamptz, true) as same
    from ${sql.table(tableOf(resource))} t
    where id = ${id} for no key update`.execute(trx)
  const [held] = found.rows
  if (held === undefined) throw notFound(resource.noun.one)
  if (!held.same) throw changedMeanwhile(resource.noun.one)
  return held.row
}

async function setColumns(resource: Resource, trx: Db, id: number, values: Row): Promise<void> {
  const entries = Object.entries(values)
  if (entries.length === 0) return
  const set = sql.join(entries.map(([key, value]) => sql`${sql.ref(key)} = ${value}`))
  await sql`update ${sql.table(tableOf(resource))} set ${set} where id = ${id}`.execute(trx)
}

/** The body's fields that are columns as they stand. */
function plainColumns(resource: Resource, body: Row): Row {
  const values: Row = {}
  for (const [key, field] of writable(resource.fields)) {
    if (body[key] === undefined || ['secret', 'password', 'references'].includes(field.kind)) continue
    values[key] = field.kind === 'json' && body[key] !== null ? JSON.stringify(body[key]) : body[key]
  }
  return values
}

/** Old rows hold columns that are no fields (a password's hash); those are left out. */
function shown(resource: Resource, row: Row): Row {
  const keys = writable(resource.fields).flatMap(([key, field]) =>
    row[key] === undefined || field.kind === 'references' ? [] : [key],
  )
  return Object.fromEntries(keys.map((key) => [key, hide(resource, key, row[key])]))
}

function changes(resource: Resource, body: Row, old: Row, sealed: Row): Row {
  const changed = Object.entries(shown(resource, body)).filter(([key]) => {
    const kind = resource.fields[key]?.kind
    if (kind === 'secret') return key in sealed
    return kind === 'password' || JSON.stringify(body[key]) !== JSON.stringify(old[key])
  })
  return Object.fromEntries(changed)
}

function hide(resource: Resource, key: string, value: unknown): unknown {
  const kind = resource.fields[key]?.kind
  return (kind === 'secret' || kind === 'password') && (value ?? null) !== null ? '…' : (value ?? null)
}
