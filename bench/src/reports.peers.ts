import type { Duck } from './duckdb.ts'
import { spread } from './figures.ts'
import type { Case } from './reports.cases.ts'
import type { LeadsDesk } from './reports.desk.ts'
import { groupText, isCounted, type Counted, type Query, type ReportRow } from './reports.recount.ts'

/** The same figures counted from the leads: milliseconds, null where a report counts nothing. */
export interface Beside {
  raw: number | null
  duck: number | null
}

interface Counting {
  ms: number
  rows: ReportRow[]
}

/** PostgreSQL's own GROUP BY and DuckDB's over the same leads; whatever they count, the report has to be. */
export class Peers {
  readonly #desk: LeadsDesk
  readonly #duck: Duck
  // A report in another order counts the same.
  readonly #counted = new Map<string, Counting>()
  /** Reports that were compared with a recount, each row of each. */
  compared = 0

  constructor(desk: LeadsDesk, duck: Duck) {
    this.#desk = desk
    this.#duck = duck
  }

  /** Counts every period of a case by DuckDB, the first by PostgreSQL too. Throws where a report differs. */
  async count({ kind, scope, queries }: Case): Promise<Beside> {
    if (!isCounted(kind)) return { raw: null, duck: null }
    const times: number[] = []
    let raw: number | null = null
    for (const query of queries) {
      const who = this.#desk.who[scope]
      const byDuck = await this.#once('duckdb', groupText(kind, query, who, 'duckdb'), (text) =>
        this.#duck.ask(text),
      )
      await this.#check(scope, kind, query, byDuck)
      times.push(byDuck.ms)
      if (raw !== null) continue
      const own = await this.#once('postgres', groupText(kind, query, who, 'postgres'), (text) =>
        this.#byPostgres(text),
      )
      await this.#check(scope, kind, query, own)
      raw = own.ms
    }
    return { raw, duck: spread(times).median }
  }

  async #check(scope: Case['scope'], kind: Counted, query: Query, { rows }: Counting): Promise<void> {
    await this.#desk.check(scope, kind, query, rows)
    this.compared += 1
  }

  async #byPostgres(text: string): Promise<Counting> {
    const start = performance.now()
    const { rows } = await this.#desk.pool.query<ReportRow>(text)
    return { ms: performance.now() - start, rows }
  }

  async #once(by: string, text: string, count: (text: string) => Promise<Counting>): Promise<Counting> {
    const key = `${by} ${text}`
    const known = this.#counted.get(key)
    if (known !== undefined) return known
    const counting = await count(text)
    this.#counted.set(key, counting)
    return counting
  }
}
