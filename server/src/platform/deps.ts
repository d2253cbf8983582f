import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Outgoing } from './outgoing-http/outgoing.ts'
import type { Config } from '../config.ts'
import type { Db } from './database/pool.ts'
import type { Identities } from './security/identities.ts'
import type { ClockWatch } from './database/clock.ts'
import type { Bell } from './jobs/jobs.ts'
import type { Seal } from './security/seal.ts'

/** What the product is built from; main.ts makes it once, tests make it with their own database. */
export interface Deps {
  db: Db
  /** The same connections as `db`, for hand-written statements. */
  pool: pg.Pool
  config: Config
  log: FastifyBaseLogger
  seal: Seal
  /** By how much this process's clock differs from the database's. */
  clock: ClockWatch
  /** Who a token stands for; await `forget()` after the commit of whatever changes that. */
  identities: Identities
  /** The one way out, to wherever a person or a source says. */
  outgoing: Outgoing
  /** Rings for a job in the background once its work is committed. */
  bell: Bell
  /** Counters of this process, which /metrics answers beside its own. */
  metrics: Registry
}
