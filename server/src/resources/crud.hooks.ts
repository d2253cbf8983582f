import type { Db } from '../platform/database/pool.ts'
import type { Extra } from './crud.queries.ts'
import type { Identity } from '../platform/http/guard.ts'

type Row = Record<string, unknown>

/** A change about to be made. */
export interface Changing<Body> {
  trx: Db
  body: Body
  person: Identity
}

/** A row about to be written. `old` is the row of the table as it was, null on create. */
export interface Writing<Body> extends Changing<Body> {
  old: Row | null
}

/** Where a resource differs from all others. Everything runs inside the one transaction of the change. */
export interface Hooks<Body> {
  /** What the answered row has beyond its fields. */
  extra?: Extra
  /** Before anything else of any change, a delete too: locks that must be taken before a row's. */
  lock?: (trx: Db) => Promise<void>
  /** Before any row is locked: the place for locks of one's own. */
  before?: (changing: Changing<Body>) => Promise<void>
  /** Further columns to store, and checks that the schema cannot make. */
  columns?: (writing: Writing<Body>) => Promise<Row>
  /** Further columns to store once the secrets that changed are sealed. */
  sealed?: (changed: Row) => Row
  /** After the row is written; answers what the audit log should add, if anything. */
  written?: (writing: Writing<Body> & { id: number }) => Promise<{ old: Row; new: Row } | undefined>
  /** Before a delete: throws where it must not be, takes away what goes along. */
  removing?: (trx: Db, row: Row & { id: number }) => Promise<void>
  /** After the commit of any change; who made it waits for what this promises. It must not fail. */
  committed?: () => Promise<void> | void
}
