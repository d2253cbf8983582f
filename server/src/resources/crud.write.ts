import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import { audit, getAuditedName } from '../platform/audit/audit.ts'
import { createConflictError, nextUpdatedAt } from '../platform/database/conflict.ts'
import type { Hooks } from './crud.hooks.ts'
import type { SecretFields } from './crud.secrets.ts'
import { notFound } from '../platform/http/errors.ts'
import type { Identity } from '../platform/http/guard.ts'
import { findInUseError } from './in-use.ts'
import { isForeignKeyViolation, getTableName } from '../platform/database/pg-errors.ts'
import { inSavepoint } from '../platform/database/savepoint.ts'

type Row = Record<string, unknown>

export interface WriteOptions<Body> {
  resource: Resource
  secrets: SecretFields
  hooks: Hooks<Body>
}

/** Inserts a row, runs the hooks, and returns its id. */
export async function insertRow<Body extends Row>(
  options: WriteOptions<Body>,
  trx: Db,
  { body, person }: { body: Body; person: Identity },
): Promise<number> {
  const { resource, secrets, hooks } = options
  await hooks.acquireLocks?.(trx)
  await hooks.beforeLock?.({ trx, body, person })
  const computedColumns = (await hooks.computeColumns?.({ trx, body, oldRow: null, person })) ?? {}
  const values = Object.entries({ ...pickPlainColumns(resource, body), ...computedColumns })
  const columns = sql.join(values.map(([key]) => sql.ref(key)))
  const insertion = await sql<{ id: number }>`insert into ${sql.table(getTableName(resource))} (${columns})
    values (${sql.join(values.map(([, value]) => value))}) returning id`.execute(trx)
  const id = insertion.rows[0]?.id
  if (id === undefined) throw new Error(`The insert into ${resource.name} answered no id`)
  // The encryption of a secret is bound to the id of its row, which is known only now.
  const encryptedValues = secrets.encryptChanged(body, id, null)
  await setColumns(resource, trx, {
    id,
    values: { ...encryptedValues, ...hooks.columnsForSecrets?.(encryptedValues) },
  })
  const extraValues = await hooks.afterWrite?.({ trx, body, oldRow: null, person, id })
  await audit(trx, {
    person,
    action: 'create',
    resource: getAuditedName(resource),
    rowId: id,
    after: { ...maskRow(resource, body), ...extraValues?.newValues },
  })
  return id
}

/** Updates the fields of the body. Errors: 404; 409 when the row has another version than the body's `updated_at`. */
export async function updateRow<Body extends Row>(
  options: WriteOptions<Body>,
  trx: Db,
  { id, body, person }: { id: number; body: Body; person: Identity },
): Promise<void> {
  const { resource, secrets, hooks } = options
  await hooks.acquireLocks?.(trx)
  await hooks.beforeLock?.({ trx, body, person })
  const oldRow = await lockRowOrThrow(resource, trx, { id, expectedUpdatedAt: body.updated_at })
  const computedColumns = (await hooks.computeColumns?.({ trx, body, oldRow, person })) ?? {}
  const encryptedValues = secrets.encryptChanged(body, id, oldRow)
  const { updated_at: _, ...namedValues } = body
  await setColumns(resource, trx, {
    id,
    values: {
      ...pickPlainColumns(resource, body),
      ...computedColumns,
      ...encryptedValues,
      ...hooks.columnsForSecrets?.(encryptedValues),
      // Also for values in other tables: the version of the row must change.
      ...(Object.keys(namedValues).length > 0 && { updated_at: nextUpdatedAt }),
    },
  })
  const extraValues = await hooks.afterWrite?.({ trx, body, oldRow, person, id })
  const after = listChanges(resource, { body, oldRow, encryptedValues })
  const before = Object.fromEntries(
    Object.keys(after).map((key) => [key, maskValue(resource, key, oldRow[key])]),
  )
  if (Object.keys(after).length === 0 && !extraValues) return
  await audit(trx, {
    person,
    action: 'update',
    resource: getAuditedName(resource),
    rowId: id,
    before: { ...before, ...extraValues?.oldValues },
    after: { ...after, ...extraValues?.newValues },
  })
}

/** Errors: 404; 409 `in_use` while other rows refer to this one; those of the hooks. */
export async function deleteRow<Body>(
  options: WriteOptions<Body>,
  trx: Db,
  { id, person }: { id: number; person: Identity },
): Promise<void> {
  const { resource, hooks } = options
  await hooks.acquireLocks?.(trx)
  const oldRow = await lockRowOrThrow(resource, trx, { id })
  await hooks.beforeDelete?.(trx, { ...oldRow, id })
  const table = getTableName(resource)
  try {
    await inSavepoint(trx, () => sql`delete from ${sql.table(table)} where id = ${id}`.execute(trx))
  } catch (error) {
    throw isForeignKeyViolation(error) ? await findInUseError(trx, table, id) : error
  }
  await audit(trx, {
    person,
    action: 'delete',
    resource: getAuditedName(resource),
    rowId: id,
    before: maskRow(resource, oldRow),
  })
}

async function lockRowOrThrow(
  resource: Resource,
  trx: Db,
  { id, expectedUpdatedAt }: { id: number; expectedUpdatedAt?: unknown },
): Promise<Row> {
  // Weaker than `for update`: others may still write rows that refer to this one.
  const result = await sql<{ row: Row; is_same_version: boolean }>`
    select to_jsonb(t) as row, coalesce(updated_at = ${expectedUpdatedAt ?? null}::timestamptz, true) as is_same_version
    from ${sql.table(getTableName(resource))} t
    where id = ${id} for no key update`.execute(trx)
  const [lockedRow] = result.rows
  if (lockedRow === undefined) throw notFound(resource.noun.one)
  if (!lockedRow.is_same_version) throw createConflictError(resource.noun.one)
  return lockedRow.row
}

async function setColumns(
  resource: Resource,
  trx: Db,
  { id, values }: { id: number; values: Row },
): Promise<void> {
  const entries = Object.entries(values)
  if (entries.length === 0) return
  const assignments = sql.join(entries.map(([key, value]) => sql`${sql.ref(key)} = ${value}`))
  await sql`update ${sql.table(getTableName(resource))} set ${assignments} where id = ${id}`.execute(trx)
}

/** The fields of the body that are stored unchanged in a column. */
function pickPlainColumns(resource: Resource, body: Row): Row {
  const values: Row = {}
  for (const [key, field] of getWritableFields(resource.fields)) {
    if (body[key] === undefined || ['secret', 'password', 'references'].includes(field.kind)) continue
    values[key] = field.kind === 'json' && body[key] !== null ? JSON.stringify(body[key]) : body[key]
  }
  return values
}

/** A row for the audit log: without columns that are not fields (the hash of a password), with masked secrets. */
function maskRow(resource: Resource, row: Row): Row {
  const keys = getWritableFields(resource.fields).flatMap(([key, field]) =>
    row[key] === undefined || field.kind === 'references' ? [] : [key],
  )
  return Object.fromEntries(keys.map((key) => [key, maskValue(resource, key, row[key])]))
}

/** The values of the body that differ from the stored row, with masked secrets. */
function listChanges(
  resource: Resource,
  { body, oldRow, encryptedValues }: { body: Row; oldRow: Row; encryptedValues: Row },
): Row {
  const changedEntries = Object.entries(maskRow(resource, body)).filter(([key]) => {
    const kind = resource.fields[key]?.kind
    if (kind === 'secret') return key in encryptedValues
    return kind === 'password' || JSON.stringify(body[key]) !== JSON.stringify(oldRow[key])
  })
  return Object.fromEntries(changedEntries)
}

function maskValue(resource: Resource, key: string, value: unknown): unknown {
  const kind = resource.fields[key]?.kind
  return (kind === 'secret' || kind === 'password') && (value ?? null) !== null ? '…' : (value ?? null)
}
