import { fileURLToPath } from 'node:url'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { startListening, type Listening } from './child.ts'
import { signIn } from './desk.ts'
import { canRead, childrenOf, exactTimes, timeBetween } from './processor.ts'
import { admin, openLeads, timezone, type LeadsCluster } from './leads.cluster.ts'
import {
  compareRows,
  groupsAtMost,
  type Counted,
  type Query,
  type ReportRow,
  type Who,
} from './reports.recount.ts'
import type { Scope } from './reports.cases.ts'
import type { DuckRow } from './duckdb.ts'

type Pool = ReturnType<typeof openPool>

/** Milliseconds by the clock, and of processor time in the product and PostgreSQL together (NaN where it is not told). */
export interface Took {
  ms: number
  cpu: number
}

/** The product as production starts it over generated leads, and two people signed in to it. */
export interface LeadsDesk {
  leads: number
  folder: string
  pool: Pool
  who: Record<Scope, Who>
  /** One report, from the request to the last byte of its answer. */
  time(scope: Scope, kind: string, query: Query): Promise<Took>
  /** Every page of a report. Throws where it is not the recount. */
  check(scope: Scope, kind: Counted, query: Query, recount: readonly DuckRow[]): Promise<void>
  stop(): Promise<void>
}

const server = fileURLToPath(import.meta.resolve('@karvon/server/main.ts'))
const buyer = 'buyer1'
/** Deltas that wait while reports are measured, as between two folds of a desk at work. */
export const waiting = 2000

/** Opens the leads and starts the product's web process on them; nothing folds what waits. */
export async function startLeadsDesk(leads: number, say: (message: string) => void): Promise<LeadsDesk> {
  const cluster = await openLeads(leads, say)
  const pool = openPool(cluster.url, { timezone, statementTimeout: 0, max: 2 })
  let app: Listening | undefined
  const stop = async () => {
    await app?.stop()
    await pool.query('delete from lead_deltas')
    await pool.end()
    await cluster.stop()
  }
  try {
    await letWait(pool)
    app = await startListening(server, environment(cluster))
    const { url, pid } = app
    const tokens = {
      admin: (await signIn(url, admin)).token,
      user: (await signIn(url, { username: buyer, password: admin.password })).token,
    }
    const read = async (scope: Scope, kind: string, query: Query) => {
      const parameters = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
      )
      const path = `${url}/api/${scope}/report/${kind}?${parameters.toString()}`
      const answer = await fetch(path, { headers: { authorization: `Bearer ${tokens[scope]}` } })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
      return text
    }
    return {
      leads,
      folder: cluster.folder,
      pool,
      who: { admin: 'admin', user: await personOf(pool) },
      time: async (...asked) => {
        const processes = canRead ? [pid, ...childrenOf(cluster.pid())] : []
        const used = exactTimes(processes)
        const start = performance.now()
        await read(...asked)
        const ms = performance.now() - start
        return { ms, cpu: canRead ? timeBetween(used, exactTimes(processes)) : Number.NaN }
      },
      check: async (scope, kind, query, recount) => {
        const rows: ReportRow[] = []
        const size = 200
        for (let page = 1; (page - 1) * size < groupsAtMost[kind]; page += 1) {
          const { items } = JSON.parse(await read(scope, kind, { ...query, per_page: size, page })) as {
            items: ReportRow[]
          }
          rows.push(...items)
          if (items.length < size) break
        }
        compareRows(kind, rows, recount)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const environment = ({ url, folder }: LeadsCluster) => ({
  DATABASE_URL: url,
  KARVON_DATA: folder,
  KARVON_TIMEZONE: timezone,
  KARVON_PROCESS: 'web',
  PORT: '0',
  HOST: '127.0.0.1',
})

async function personOf(pool: Pool): Promise<Who> {
  const { rows } = await pool.query<{ userId: number; roleId: number }>(
    'select id as "userId", role_id as "roleId" from users where username = $1',
    [buyer],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no ${buyer}`)
  return row
}

/** Deltas that take back what they add: every report has to read them, and none may change by them. */
async function letWait(pool: Pool): Promise<void> {
  const figures = 'leads, accepted, cancel, recall, send, sold, returned, hold, profit, hold_amount'
  const signed = figures.replaceAll(/\w+/g, 'n * t.$&')
  await pool.query('truncate lead_deltas')
  await pool.query(
    `insert into lead_deltas (day, source_id, offer_id, stream_id, ${figures})
     select t.start, t.source_id, t.offer_id, t.stream_id, ${signed}
     from (select * from stream_totals where span = 1 order by hashint8(stream_id), start limit $1) t
     cross join (values (1), (-1)) ways (n)`,
    [waiting / 2],
  )
  await pool.query('analyze lead_deltas')
}
