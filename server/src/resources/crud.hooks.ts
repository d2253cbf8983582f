import type { Db } from '../platform/database/pool.ts'
import type { ExtraColumns } from './crud.queries.ts'
import type { Identity } from '../platform/http/guard.ts'

type Row = Record<string, unknown>

/** A change before it is made. */
export interface ChangeContext<Body> {
  trx: Db
  body: Body
  person: Identity
}

/** A row before it is written. `oldRow` is the stored row, null for a create. */
export interface WriteContext<Body> extends ChangeContext<Body> {
  oldRow: Row | null
}

/** Whether a change gives one of the fields another value. In a create, each given field has one. */
export const changesField = <Key extends string>(
  { body, oldRow }: { body: Partial<Record<Key, unknown>>; oldRow: Row | null },
  ...keys: readonly Key[]
): boolean => keys.some((key) => body[key] !== undefined && body[key] !== oldRow?.[key])

/** What is special about one resource. All hooks except `afterCommit` run in the transaction of the change. */
export interface Hooks<Body> {
  /** SQL expressions of further columns in the answer. */
  extraColumns?: ExtraColumns
  /** First step of each create, update and delete: takes locks that must come before row locks. */
  acquireLocks?: (trx: Db) => Promise<void>
  /** Before the row is locked. */
  beforeLock?: (changing: ChangeContext<Body>) => Promise<void>
  /** Returns further columns to store, and makes checks that the schema cannot make. */
  computeColumns?: (writing: WriteContext<Body>) => Promise<Row>
  /** Returns further columns to store when secrets have changed. */
  columnsForSecrets?: (changed: Row) => Row
  /** After the row is written. Returns further values for the audit entry. */
  afterWrite?: (
    writing: WriteContext<Body> & { id: number },
  ) => Promise<{ oldValues: Row; newValues: Row } | undefined>
  /** Before a delete. Throws when the delete is not allowed, and removes dependent rows. */
  beforeDelete?: (trx: Db, row: Row & { id: number }) => Promise<void>
  /** After the commit and before the answer. It must not throw. */
  afterCommit?: () => Promise<void> | void
}
