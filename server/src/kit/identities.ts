import { hash } from 'node:crypto'
import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/pool.ts'
import type { Identity } from './guard.ts'

/** Processes tell each other here that whom a token stands for may have changed. */
const channel = 'karvon_identities'
// Milliseconds. The cache is told of changes; this bounds what a lost message could cost.
const freshFor = 5000
const maxCached = 10_000
const reconnectAfter = 1000

/** How a token is kept: its SHA-256 alone. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

interface Cached {
  identity: Identity
  until: number
}

/**
 * Finds who a token stands for, through a small cache. The cache is emptied whenever a session ends or a
 * person or role changes: in this process by `forget()`, in the others by NOTIFY. While no connection
 * listens nothing is cached.
 */
export class Identities {
  readonly #pool: pg.Pool
  readonly #log: FastifyBaseLogger
  readonly #idleDays: number
  readonly #cache = new Map<string, Cached>()
  #generation = 0
  #listener: pg.PoolClient | undefined
  #retry: NodeJS.Timeout | undefined
  #stopped = false

  constructor(pool: pg.Pool, log: FastifyBaseLogger, idleDays: number) {
    this.#pool = pool
    this.#log = log
    this.#idleDays = idleDays
  }

  /** Null where the token is unknown, its session ended or its owner inactive. */
  async identify(token: string): Promise<Identity | null> {
    const key = hash('sha256', token, 'base64')
    const cached = this.#cache.get(key)
    if (cached !== undefined && cached.until > Date.now()) return cached.identity
    const generation = this.#generation
    const identity = await this.#look(tokenHash(token))
    // What was read before a change must not outlive it.
    if (identity !== null && generation === this.#generation && this.#listener !== undefined)
      this.#keep(key, identity)
    return identity
  }

  /** Drops what is cached; call it once a change is committed. */
  forget(): void {
    this.#generation += 1
    this.#cache.clear()
  }

  /** Listens to the other processes, and keeps trying while the database is away. */
  async listen(): Promise<void> {
    if (this.#stopped) return
    try {
      const client = await this.#pool.connect()
      // Stopped while it connected: a client that nobody releases would hold up the end of the pool.
      if (this.#stopped) return client.release(true)
      client.on('notification', () => this.forget())
      client.on('error', () => this.#lost(client))
      client.on('end', () => this.#lost(client))
      this.#listener = client
      await client.query(`listen ${channel}`)
      this.forget()
    } catch (error) {
      this.#log.warn({ err: error }, 'Not listening for ended sessions')
      if (this.#listener) this.#lost(this.#listener)
      else this.#later()
    }
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#retry)
    const client = this.#listener
    this.#listener = undefined
    client?.release(true)
  }

  #lost(client: pg.PoolClient): void {
    if (this.#listener !== client) return
    this.#listener = undefined
    this.forget()
    client.release(true)
    this.#later()
  }

  #later(): void {
    if (!this.#stopped) this.#retry = setTimeout(() => void this.listen(), reconnectAfter).unref()
  }

  #keep(key: string, identity: Identity): void {
    if (this.#cache.size >= maxCached) this.#cache.clear()
    this.#cache.set(key, { identity, until: Date.now() + freshFor })
  }

  async #look(hashed: Buffer): Promise<Identity | null> {
    const found = await this.#pool.query<Row>({
      name: 'identify',
      text: lookUp,
      values: [hashed, this.#idleDays],
    })
    const row = found.rows[0]
    if (row === undefined) return null
    // Once a minute is close enough for an idle time of days, and spares a write a request.
    if (row.stale)
      await this.#pool.query('update sessions set last_used_at = now() where id = $1', [row.session_id])
    return {
      userId: row.user_id,
      sessionId: row.session_id,
      roleId: row.role_id,
      roleCode: row.role_code,
      admin: row.role_code === adminCode,
      username: row.username,
      name: row.name,
    }
  }
}

interface Row {
  session_id: number
  user_id: number
  username: string
  name: string
  role_id: number
  role_code: string
  stale: boolean
}

const lookUp = `select s.id as session_id, u.id as user_id, u.username, u.name, r.id as role_id, r.code as role_code,
  s.last_used_at < now() - interval '1 minute' as stale
from sessions s join users u on u.id = s.user_id and u.is_active join roles r on r.id = u.role_id
where s.token_hash = $1 and s.expires_at > now() and s.last_used_at > now() - make_interval(days => $2::int)`

/** Tells every process, once the transaction commits, that cached identities are stale. */
export async function announce(trx: Db): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(trx)
}

/** Ends a person's sessions, all but `keep`, and answers how many. Call `forget()` after the commit. */
export async function endSessions(trx: Db, userId: number, keep: number | null = null): Promise<number> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep ?? 0))
    .executeTakeFirst()
  await announce(trx)
  return Number(ended.numDeletedRows)
}
