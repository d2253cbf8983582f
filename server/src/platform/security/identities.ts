import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import type { Db } from '../database/pool.ts'
import { withPrimary } from '../database/replica.route.ts'
import type { Identity } from '../http/guard.ts'
import { isSecondFactorRequired } from './required-second-factor.ts'

/** Milliseconds for which a cached identity is valid, from the start of its lookup. */
const cacheLifetime = 200
/** Longer than the lifetime of a cache entry, with a margin for timers. */
const otherProcessWait = cacheLifetime + 25
const maxCached = 10_000

/** The form in which a token is stored. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

interface CachedLookup {
  identity: Promise<Identity | null>
  /** Milliseconds of the monotonic clock. */
  until: number
}

/**
 * Finds the person of a token, with a short-lived cache. Code that ends a session, or changes a person or a role, calls
 * `invalidate()` after the commit and before the answer, so that no process uses the old identity after the answer.
 */
export class Identities {
  readonly #db: Db
  readonly #pool: pg.Pool
  readonly #config: Pick<Config, 'session' | 'requireSecondFactor'>
  /** By the token itself, because a hash costs more than the rest of a lookup in the cache. In the order of `until`. */
  readonly #cache = new Map<string, CachedLookup>()

  constructor(db: Db, pool: pg.Pool, config: Pick<Config, 'session' | 'requireSecondFactor'>) {
    this.#db = db
    this.#pool = pool
    this.#config = config
  }

  /**
   * Null when the token is unknown, its session has ended, or its person is inactive. Simultaneous requests with one
   * token share a lookup.
   */
  identify(token: string): Promise<Identity | null> {
    const now = performance.now()
    const cacheEntry = this.#cache.get(token)
    if (cacheEntry !== undefined && cacheEntry.until > now) return cacheEntry.identity
    this.#removeExpired(now)
    // The session of an export is looked up again while its rows are read on a replica, which cannot store its last use.
    const identity = withPrimary(() => this.#findIdentity(hashToken(token)))
    const lookup = { identity, until: now + cacheLifetime }
    this.#cache.set(token, lookup)
    const forget = () => {
      if (this.#cache.get(token) === lookup) this.#cache.delete(token)
    }
    identity.then((person) => person === null && forget(), forget)
    return identity
  }

  /** Clears the cache, and resolves when the caches of all other processes have expired too. */
  async invalidate(): Promise<void> {
    this.#cache.clear()
    await waitForOtherProcesses(this.#db)
  }

  #removeExpired(now: number): void {
    for (const [token, { until }] of this.#cache) {
      if (until > now) break
      this.#cache.delete(token)
    }
    if (this.#cache.size >= maxCached) this.#cache.clear()
  }

  async #findIdentity(tokenHash: Buffer): Promise<Identity | null> {
    const result = await this.#pool.query<Row>({
      name: 'identify',
      text: identifySql,
      values: [tokenHash, this.#config.session.idleDays],
    })
    const row = result.rows[0]
    if (row === undefined) return null
    // The idle time is counted in days, so one write a minute is enough.
    if (row.is_stale)
      await this.#pool.query('update sessions set last_used_at = now() where id = $1', [row.session_id])
    return this.#toIdentity(row, row.session_id)
  }

  /**
   * Finds a person by id, without the cache and without a session. Null when the person does not exist or is inactive.
   */
  async findPerson(userId: number): Promise<Identity | null> {
    const { rows } = await this.#pool.query<PersonRow>(personSql, [userId])
    return rows[0] === undefined ? null : this.#toIdentity(rows[0], 0)
  }

  #toIdentity(row: PersonRow, sessionId: number): Identity {
    return {
      userId: row.user_id,
      sessionId,
      roleId: row.role_id,
      roleCode: row.role_code,
      isAdmin: row.role_code === adminCode,
      isSecondFactorRequired: isSecondFactorRequired(this.#config, row.role_code),
      hasSecondFactor: row.second_factor,
      username: row.username,
      name: row.name,
    }
  }
}

interface Row extends PersonRow {
  session_id: number
  is_stale: boolean
}

interface PersonRow {
  user_id: number
  username: string
  name: string
  role_id: number
  role_code: string
  second_factor: boolean
}

const personColumns = `u.id as user_id, u.username, u.name, r.id as role_id, r.code as role_code, u.second_factor`

const personSql = `select ${personColumns} from users u join roles r on r.id = u.role_id where u.id = $1 and u.is_active`

/** SQL: the session `s` is valid. `days`: the parameter with the days until an unused session expires. */
export const isValidSessionSql = (days: string): string =>
  `s.expires_at > now() and s.last_used_at > now() - make_interval(days => ${days}::int)`

const identifySql = `select s.id as session_id, ${personColumns}, s.last_used_at < now() - interval '1 minute' as is_stale
from sessions s join users u on u.id = s.user_id and u.is_active join roles r on r.id = u.role_id
where s.token_hash = $1 and ${isValidSessionSql('$2')}`

/** The `application_name` of the connections of a process that answers calls. Such processes find each other by it. */
export const getWebProcessName = (id: string): string => `karvon answers ${id}`

/**
 * Resolves when the cached identities of all other processes have expired, or at once if there is no other process.
 * Call this after the commit of a change.
 */
export async function waitForOtherProcesses(db: Db): Promise<void> {
  // If the database does not answer, there may be another process.
  if (await isOnlyWebProcess(db).catch(() => false)) return
  await sleep(otherProcessWait)
}

/**
 * Whether no other process can have a valid cache entry. A process with one still has the connection that read it,
 * except after a restart of PostgreSQL, which ended all connections. Then the connections of this process are new,
 * too.
 */
async function isOnlyWebProcess(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_only: boolean | null }>`select bool_and(is_own)
      and min(backend_start) < clock_timestamp() - make_interval(secs => ${otherProcessWait / 1000}) as is_only
    from (select application_name = current_setting('application_name') as is_own, backend_start
      from pg_stat_activity where datname = current_database() and application_name like ${getWebProcessName('%')}) as web_processes`.execute(
    db,
  )
  return rows[0]?.is_only === true
}

/**
 * Ends the sessions of a person, except `keptId`, and the code for a Telegram chat, which one of them may have requested. Returns the
 * number of sessions. Call `invalidate()` after the commit.
 */
export async function endSessions(trx: Db, userId: number, keptId: number | null = null): Promise<number> {
  await trx
    .updateTable('telegram_links')
    .set({ code: null, code_until: null })
    .where('user_id', '=', userId)
    .where('code', 'is not', null)
    .execute()
  const result = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptId !== null, (query) => query.where('id', '<>', keptId ?? 0))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
