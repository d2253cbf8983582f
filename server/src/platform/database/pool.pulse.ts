import pg from 'pg'
import { connectionSettings, type PoolOptions } from './pool.ts'
import { backendOf, cut, heardOf } from './pool.wire.ts'

/** Seconds, since it looks once a second. */
const limits = {
  /** After which an unanswered beat is doubted, and a new connection asked. */
  doubt: 3,
  /** After which the connections are ended though no new one answers: 503 rather than no answer. */
  away: 10,
  /** After which PostgreSQL is asked what a statement of ours that said nothing is doing. */
  silent: 35,
}

/** Milliseconds a new connection has to come about. */
const connectPatience = 2000

/** Looks after a pool, unless its server is on this machine: a Unix socket tells at once that the other end is gone. */
export function watchPool(...given: ConstructorParameters<typeof Pulse>): Pulse | undefined {
  const { host } = new pg.Client(connectionSettings(given[1], given[2]))
  return host.startsWith('/') ? undefined : new Pulse(...given)
}

interface Silence {
  heard: number
  seconds: number
}

/**
 * Looks after a pool over the network. A host that vanishes ends no connection: what was asked on it would wait for a
 * quarter of an hour. So one connection beside the pool asks something each second. Where it hears nothing and a new
 * connection does, all old ones are ended, and so they are where the server turns out to be a standby. A statement
 * that nobody works on any more, or that waits for a standby which does not come, is ended after 35 s.
 */
export class Pulse {
  readonly #settings: pg.ClientConfig
  readonly #clients = new Set<pg.PoolClient>()
  readonly #silent = new Map<pg.PoolClient, Silence>()
  readonly #say: (message: string) => void
  readonly #timer: NodeJS.Timeout
  #beating: pg.Client | undefined
  /** Seconds for which the beat is unanswered; undefined where none is under way. */
  #waiting: number | undefined
  #connecting = false
  #stopped = false

  constructor(pool: pg.Pool, url: string, options: PoolOptions, say: (message: string) => void) {
    const settings = connectionSettings(url, { ...options, applicationName: 'karvon-pulse' })
    this.#settings = { ...settings, connectionTimeoutMillis: connectPatience }
    this.#say = say
    pool.on('connect', (client) => this.#clients.add(client))
    pool.on('remove', (client) => {
      this.#clients.delete(client)
      this.#silent.delete(client)
    })
    this.#timer = setInterval(() => this.#look(), 1000).unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#beating?.end().catch(() => {})
  }

  #look(): void {
    this.#listen()
    if (this.#waiting !== undefined) this.#waiting += 1
    if (this.#beating === undefined) void this.#open(false)
    else if (this.#waiting === undefined) void this.#beat(this.#beating)
    else if (this.#waiting >= limits.doubt) void this.#open(true)
  }

  /** Opens the connection that beats; in doubt, as a second opinion. */
  async #open(doubted: boolean): Promise<void> {
    if (doubted && (this.#waiting ?? 0) >= limits.away) this.#cutAll('The database does not answer')
    if (this.#connecting) return
    this.#connecting = true
    const client = new pg.Client(this.#settings)
    const lost = () => this.#lost(client)
    client.on('error', lost)
    client.on('end', lost)
    try {
      await client.connect()
      const old = this.#beating
      // Answered after all while this one was being made.
      if (this.#stopped || (doubted && (old === undefined || this.#waiting === undefined))) return cut(client)
      this.#beating = client
      this.#waiting = undefined
      if (old !== undefined) cut(old)
      if (doubted) this.#cutAll('The database answers only new connections')
      await this.#beat(client)
    } catch {
      cut(client)
    } finally {
      this.#connecting = false
    }
  }

  async #beat(client: pg.Client): Promise<void> {
    this.#waiting = 0
    const doubtful = [...this.#silent].filter(([, { seconds }]) => seconds >= limits.silent)
    try {
      const { rows } = await client.query<{ standby: boolean; known: boolean; busy: number[] }>(question, [
        doubtful.map(([each]) => backendOf(each)),
        backendOf(client),
      ])
      if (this.#beating !== client) return
      this.#waiting = undefined
      const [row] = rows
      if (row?.standby === true) this.#cutAll('The database is a standby')
      if (row?.known !== true) return
      for (const [each] of doubtful) if (!row.busy.includes(backendOf(each))) this.#cut(each)
    } catch {
      this.#lost(client)
    }
  }

  #lost(client: pg.Client): void {
    if (this.#beating !== client) return
    this.#beating = undefined
    this.#waiting = undefined
    cut(client)
  }

  /** For how long each statement under way has said nothing. */
  #listen(): void {
    for (const client of this.#clients) {
      const heard = heardOf(client)
      const before = this.#silent.get(client)
      if (heard === null) this.#silent.delete(client)
      else if (before?.heard === heard) before.seconds += 1
      else this.#silent.set(client, { heard, seconds: 0 })
    }
  }

  #cutAll(why: string): void {
    if (this.#clients.size > 0) this.#say(`${why}: ending ${this.#clients.size} connections to it.`)
    for (const client of this.#clients) this.#cut(client)
  }

  #cut(client: pg.PoolClient): void {
    this.#clients.delete(client)
    this.#silent.delete(client)
    cut(client)
  }
}

// A pooler between may number backends in its own way: then nothing is known of them.
const question = `select pg_is_in_recovery() as standby,
  exists (select from pg_stat_activity where pid = $2::int) as known,
  array(select pid from pg_stat_activity
    where pid = any($1::int[]) and state = 'active' and wait_event is distinct from 'SyncRep') as busy`
