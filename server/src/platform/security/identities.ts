import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import type { Db } from '../database/pool.ts'
import type { Identity } from '../http/guard.ts'

/** Milliseconds for which a process may go by what it read, counted from before it read it. */
const lease = 200
/** Longer than any lease, whatever the clocks' and timers' small differences. */
const leasesOver = lease + 25
const maxCached = 10_000

/** How a token is kept: its SHA-256 alone. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

interface Cached {
  identity: Identity
  /** By the clock that never jumps. */
  until: number
}

/**
 * Finds who a token stands for, through a small cache. Whoever ends a session, or changes a person or a role,
 * calls `forget()` after the commit and before the answer: from the answer on no process goes by what was before.
 */
export class Identities {
  readonly #db: Db
  readonly #pool: pg.Pool
  readonly #idleDays: number
  readonly #secondFactorOfAdmins: boolean
  readonly #cache = new Map<string, Cached>()
  #generation = 0

  constructor(
    db: Db,
    pool: pg.Pool,
    { session, requireSecondFactor }: Pick<Config, 'session' | 'requireSecondFactor'>,
  ) {
    this.#db = db
    this.#pool = pool
    this.#idleDays = session.idleDays
    this.#secondFactorOfAdmins = requireSecondFactor === 'admins'
  }

  /** Null where the token is unknown, its session ended or its owner inactive. */
  async identify(token: string): Promise<Identity | null> {
    const key = hash('sha256', token, 'base64')
    const began = performance.now()
    const cached = this.#cache.get(key)
    if (cached !== undefined && cached.until > began) return cached.identity
    const generation = this.#generation
    const identity = await this.#look(tokenHash(token))
    // What was read before a change must not outlive it.
    if (identity !== null && generation === this.#generation) this.#keep(key, identity, began + lease)
    return identity
  }

  /** Drops what is cached here, and resolves once no other process goes by it either. */
  async forget(): Promise<void> {
    this.#generation += 1
    this.#cache.clear()
    await othersForgot(this.#db)
  }

  #keep(key: string, identity: Identity, until: number): void {
    if (this.#cache.size >= maxCached) this.#cache.clear()
    this.#cache.set(key, { identity, until })
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
    const admin = row.role_code === adminCode
    return {
      userId: row.user_id,
      sessionId: row.session_id,
      roleId: row.role_id,
      roleCode: row.role_code,
      admin,
      secondFactorRequired: admin && this.#secondFactorOfAdmins,
      secondFactor: row.second_factor,
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
  second_factor: boolean
  stale: boolean
}

const lookUp = `select s.id as session_id, u.id as user_id, u.username, u.name, r.id as role_id, r.code as role_code,
  u.second_factor, s.last_used_at < now() - interval '1 minute' as stale
from sessions s join users u on u.id = s.user_id and u.is_active join roles r on r.id = u.role_id
where s.token_hash = $1 and s.expires_at > now() and s.last_used_at > now() - make_interval(days => $2::int)`

/** What the connections of a process are called that answers calls: each finds the others by it. */
export const answering = (id: string): string => `karvon answers ${id}`

/**
 * After the commit of what changes whom a token stands for: resolves when the leases of all other processes that
 * answer calls are over, which is at once where there are none.
 */
export async function othersForgot(db: Db): Promise<void> {
  // Where nobody can be asked, somebody may be there.
  if (await isAlone(db).catch(() => false)) return
  await sleep(leasesOver)
}

/**
 * A lease was read through a connection, which is still there while it holds; unless PostgreSQL ended them all,
 * and then the own ones are young.
 */
async function isAlone(db: Db): Promise<boolean> {
  const { rows } = await sql<{ alone: boolean | null }>`select bool_and(mine)
      and min(backend_start) < clock_timestamp() - make_interval(secs => ${leasesOver / 1000}) as alone
    from (select application_name = current_setting('application_name') as mine, backend_start
      from pg_stat_activity where datname = current_database() and application_name like ${answering('%')}) as there`.execute(
    db,
  )
  return rows[0]?.alone === true
}

/** Ends a person's sessions, all but `keep`, and answers how many. Call `forget()` after the commit. */
export async function endSessions(trx: Db, userId: number, keep: number | null = null): Promise<number> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep ?? 0))
    .executeTakeFirst()
  return Number(ended.numDeletedRows)
}
