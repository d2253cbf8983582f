import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Outgoing } from './outgoing-http/outgoing.ts'
import type { Config } from '../config.ts'
import type { Db } from './database/pool.ts'
import type { ReadReplica } from './database/replica.ts'
import type { PasswordHasher } from './security/passwords.ts'
import type { Identities } from './security/identities.ts'
import type { ClockWatch } from './database/clock.ts'
import type { JobTrigger } from './jobs/jobs.ts'
import type { Tracing } from './tracing/tracing.ts'
import type { FileStore } from './files/file-store.ts'
import type { Encryption } from './security/encryption.ts'

/** The dependencies of the product. main.ts opens them once; tests open them with their own database. */
export interface Deps {
  db: Db
  /** The connections of `db`, for hand-written statements. */
  pool: pg.Pool
  /**
   * For work that needs a session or runs outside a transaction: session locks, cursors with hold, VACUUM. The same as
   * `pool`, unless `pool` leads to a pooler in transaction mode.
   */
  sessionPool: pg.Pool
  /** Typed queries over `sessionPool`. */
  sessionDb: Db
  /** Null: the primary answers all calls. */
  readReplica: ReadReplica | null
  config: Config
  files: FileStore
  log: FastifyBaseLogger
  encryption: Encryption
  passwords: PasswordHasher
  /** The difference between the clock of this process and the database's. */
  clock: ClockWatch
  /** Finds the person of a token. Await `invalidate()` after the commit of a change of sessions, people or roles. */
  identities: Identities
  /** The only client for URLs that come from a person or a source. */
  outgoing: Outgoing
  /** Starts a background job early. Emit after the commit of its work. */
  jobTrigger: JobTrigger
  /** Counters of domains, for /metrics. */
  metrics: Registry
  /** Null: no traces are sent. */
  tracing: Tracing | null
}
