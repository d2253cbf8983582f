import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { openPool } from '@karvon/server/platform/database/pool.ts'
import { installPeer, peerFolder } from './peer.install.ts'

type Pool = ReturnType<typeof openPool>

/** A row as JSON: numbers above 32 bits and decimals come as text. */
export type DuckRow = Record<string, string | number | null>

/** DuckDB in a process of its own, over the leads of a cluster. */
export interface Duck {
  version: string
  /** The rows, and the milliseconds that DuckDB itself took. */
  ask(sql: string): Promise<{ ms: number; rows: DuckRow[] }>
  stop(): Promise<void>
}

/** What DuckDB keeps of each table, under the same names. */
const tables = {
  leads: `day date, source_id integer, offer_id integer, stream_id integer, status_id integer, payout decimal(15, 2)`,
  statuses: 'id integer, type_id integer',
  status_types: 'id integer, code varchar',
  streams: 'id integer, user_id integer',
  role_source_access: 'role_id integer, source_id integer',
}

/** Opens DuckDB's copy of the cluster's leads in `folder`, making it first where it is not there. */
export async function openDuck(pool: Pool, folder: string): Promise<Duck> {
  const version = installPeer('duckdb', '@duckdb/node-api')
  const file = path.join(folder, 'leads.duckdb')
  if (!existsSync(file)) {
    const fresh = `${file}.new`
    rmSync(fresh, { force: true })
    const making = start(fresh, version)
    for (const [table, columns] of Object.entries(tables)) await copy(pool, making, table, columns, folder)
    await making.ask('checkpoint')
    await making.stop()
    renameSync(fresh, file)
  }
  return start(file, version)
}

function start(file: string, version: string): Duck {
  const program = path.join(peerFolder('duckdb'), 'src', 'main.mjs')
  const child = spawn(process.execPath, [program, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    version,
    ask: async (sql) => {
      child.stdin.write(`${JSON.stringify(sql)}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error('DuckDB ended')
      const answer = JSON.parse(value) as { ms: number; rows: DuckRow[] } | { error: string }
      if ('error' in answer) throw new Error(`${answer.error}\n${sql}`)
      return answer
    },
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}

/** By a file of comma-separated values: numbers, days and words without commas alone. */
async function copy(pool: Pool, duck: Duck, table: string, columns: string, folder: string): Promise<void> {
  const names = columns.match(/\w+(?= \w)/g) ?? []
  const file = path.join(folder, `${table}.csv`)
  await pipeline(Readable.from(lines(pool, table, names)), createWriteStream(file))
  await duck.ask(`create table ${table} (${columns})`)
  await duck.ask(`copy ${table} from '${file}' (header false, delimiter ',')`)
  rmSync(file)
}

async function* lines(pool: Pool, table: string, names: readonly string[]): AsyncGenerator<string> {
  const line = `concat(${names.join(`, ',', `)})`
  const { rows } = await pool.query<{ last: number }>(
    `select coalesce(max(id), 0)::integer as last from ${table}`,
  )
  const last = rows[0]?.last ?? 0
  const step = 50_000
  for (let from = 0; from <= last; from += step) {
    const part = await pool.query<{ text: string | null }>(
      `select string_agg(${line}, E'\\n' order by id) as text from ${table} where id >= $1 and id < $2`,
      [from, from + step],
    )
    const text = part.rows[0]?.text
    if (text) yield `${text}\n`
  }
}
