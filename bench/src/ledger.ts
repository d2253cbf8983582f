import { fileURLToPath } from 'node:url'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { startProcess } from '@karvon/testkit/node-process.ts'
import type { BenchExtent, BenchResult, StandaloneBench } from './standalone.ts'
import { downloadFile, type Download } from './export.read.ts'
import { computeRatios, computeSpread } from './figures.ts'
import { admin } from './leads.cluster.ts'
import { openLedgerCluster } from './ledger.cluster.ts'
import { ledgerDeltasSql, balanceRecountSql } from './ledger.generate.queries.ts'
import { readPeak, resetPeak } from './memory.ts'
import { canReadTimes, listChildren, readTimesByProcess, sumBetween } from './processor.ts'
import { buildWebEnv, signIn } from './product.ts'
import type { Duration } from './reports.product.ts'
import { measureAlternately } from './rounds.ts'
import { readPostgresVersion, timezone } from './databases.ts'

/** Largest milliseconds of processor time of a balance, and largest megabytes of the process during a statement. */
const limits = { balance: 10, statement: 300 }
const pendingDeltas = 2000
const moment = '2026-01-15T12:34:56Z'
const buyer = 'buyer1'
const statementDays = { start_date: '2025-11-21', end_date: '2026-11-20' }

interface Case {
  name: string
  as: 'admin' | 'user'
  path: string
  isBalance?: true
}

const entries = '/api/admin/ledger/entries/?per_page=50'
/** `PERSON`: the account of the person with the most entries. */
const cases: readonly Case[] = [
  { name: 'own balance', as: 'user', path: '/api/user/balance', isBalance: true },
  {
    name: 'account of a person',
    as: 'admin',
    path: '/api/admin/ledger/accounts/?kind=person&ref_id=PERSON',
    isBalance: true,
  },
  {
    name: 'account of a person at a moment',
    as: 'admin',
    path: `/api/admin/ledger/accounts/?kind=person&ref_id=PERSON&at=${moment}`,
  },
  { name: 'all accounts', as: 'admin', path: '/api/admin/ledger/accounts/?per_page=200' },
  { name: 'own entries', as: 'user', path: '/api/user/entries/?per_page=50' },
  { name: 'all entries', as: 'admin', path: entries },
  { name: 'all entries by time', as: 'admin', path: `${entries}&sort=created_at` },
  { name: 'entries of a person', as: 'admin', path: `${entries}&account_id=person-PERSON-UZS` },
  { name: 'entries of a network', as: 'admin', path: `${entries}&account_id=network-1-UZS` },
  { name: 'entries of people', as: 'admin', path: `${entries}&kind=person` },
  {
    name: 'entries of a person in a month',
    as: 'admin',
    path: `${entries}&account_id=person-PERSON-UZS&start_date=2026-01-01&end_date=2026-01-31&sort=-created_at`,
  },
  { name: 'entries of a day', as: 'admin', path: `${entries}&start_date=2026-01-15&end_date=2026-01-15` },
  { name: 'entries of a lead', as: 'admin', path: `${entries}&cause_type=lead&cause_id=77777` },
]

/** Balances and entries of a ledger, compared with one of a tenth, and a statement as xlsx. */
export const ledgerBench: StandaloneBench = {
  name: 'ledger',
  async run({ rounds, entries: size = 10_000_000 }: BenchExtent): Promise<BenchResult> {
    const open: { stop(): Promise<void> }[] = []
    try {
      const large = await startLedgerProduct(size, open)
      const small = await startLedgerProduct(size / 10, open)
      await large.compareWithRecount()
      const lines: Line[] = []
      for (const ledgerCase of cases) {
        const [manyDurations = [], fewDurations = []] = await measureAlternately(
          [large, small].map((product) => ({ name: '', measure: () => product.time(ledgerCase) })),
          rounds,
        )
        lines.push(summarize(ledgerCase, manyDurations, fewDurations))
      }
      const statement = await large.downloadStatement()
      const isMet =
        lines.every(({ isBalance, large: { cpu } }) => isBalance !== true || cpu <= limits.balance) &&
        statement.peak < limits.statement
      return {
        text: formatSection(lines, { size, rounds, statement, isMet }),
        isMet,
        postgres: large.postgres,
      }
    } finally {
      for (const product of open.toReversed()) await product.stop()
    }
  },
}

interface Line extends Case {
  large: Duration
  small: Duration
  /** Of the processor times. */
  ratio: number
}

function summarize(
  ledgerCase: Case,
  manyDurations: readonly Duration[],
  fewDurations: readonly Duration[],
): Line {
  const median = (of: readonly Duration[]): Duration => ({
    ms: computeSpread(of.map(({ ms }) => ms)).median,
    cpu: computeSpread(of.map(({ cpu }) => cpu)).median,
  })
  const ratios = computeRatios(
    manyDurations.map(({ cpu }) => cpu),
    fewDurations.map(({ cpu }) => cpu),
  )
  return {
    ...ledgerCase,
    large: median(manyDurations),
    small: median(fewDurations),
    ratio: computeSpread(ratios).median,
  }
}

interface Statement extends Download {
  peak: number
}

const server = fileURLToPath(import.meta.resolve('@karvon/server/main.ts'))

/** A web process on a ledger. No job folds the deltas. */
async function startLedgerProduct(size: number, open: { stop(): Promise<void> }[]) {
  const cluster = await openLedgerCluster(size, console.log)
  open.push(cluster)
  const pool = openPool(cluster.url, { timezone, statementTimeout: 0, max: 2 })
  open.push({ stop: () => pool.end() })
  await pool.query('delete from ledger_deltas')
  await pool.query(ledgerDeltasSql, [pendingDeltas])
  await pool.query('vacuum analyze ledger_deltas')
  const app = await startProcess(server, { env: buildWebEnv(cluster.url, cluster.folder) })
  open.push(app)
  const session = await signIn(app.url, { username: buyer, password: admin.password })
  const tokens = { admin: (await signIn(app.url, admin)).token, user: session.token }
  const person = session.user.id
  const send = async (as: keyof typeof tokens, path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${tokens[as]}`, 'content-type': 'application/json' }
    const answer = await fetch(`${app.url}${path.replaceAll('PERSON', String(person))}`, { headers, ...init })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return text
  }
  return {
    postgres: await readPostgresVersion(pool),
    time: async ({ as, path }: Case): Promise<Duration> => {
      const processes = canReadTimes ? [app.pid, ...listChildren(cluster.pid())] : []
      const before = readTimesByProcess(processes)
      const startedAt = performance.now()
      // Processor time is counted in steps of 10 ms.
      for (let i = 0; i < repeats; i += 1) await send(as, path)
      const ms = (performance.now() - startedAt) / repeats
      const cpu = canReadTimes ? sumBetween(before, readTimesByProcess(processes)) / repeats : Number.NaN
      return { ms, cpu }
    },
    /** Throws if a balance is not the sum of the entries, now or at the moment. */
    compareWithRecount: async () => {
      for (const [ledgerCase, at] of [
        [cases[1], null],
        [cases[2], moment],
      ] as const) {
        if (ledgerCase === undefined) throw new Error('There is no such case')
        const result = await pool.query<{ balance: number }>(balanceRecountSql, [person, at])
        const list = JSON.parse(await send(ledgerCase.as, ledgerCase.path)) as {
          items: { balance: number }[]
        }
        const [ownBalance, recountedBalance] = [list.items[0]?.balance, result.rows[0]?.balance]
        if (ownBalance === undefined || ownBalance !== -(recountedBalance ?? 0))
          throw new Error(`${ledgerCase.name} is ${ownBalance}, recounted ${recountedBalance}`)
      }
    },
    /** Closes a year of the person, once, and downloads its lines. */
    downloadStatement: async (): Promise<Statement> => {
      await pool.query('delete from statements')
      const body = JSON.stringify({ user_id: person, currency: 'UZS', ...statementDays })
      const { id, entries: lines } = JSON.parse(
        await send('admin', '/api/admin/statements/', { method: 'POST', body }),
      ) as { id: number; entries: number }
      resetPeak(app.pid)
      const url = `${app.url}/api/user/statements/${id}/entries/?format=xlsx`
      const file = await downloadFile(url, tokens.user, 'at once')
      return { ...file, rows: lines, peak: readPeak(app.pid) }
    },
  }
}

const repeats = 20
const formatMs = (ms: number) => ms.toFixed(1)

function formatSection(
  lines: readonly Line[],
  { size, rounds, statement, isMet }: { size: number; rounds: number; statement: Statement; isMet: boolean },
): string {
  const [manyText, fewText] = [size, size / 10].map((count) => `${count.toLocaleString('en')} entries`)
  return [
    '## ledger',
    '',
    `Answers over HTTP, with ${pendingDeltas.toLocaleString('en')} deltas that no sum has yet: medians in milliseconds, by the ` +
      `clock and of processor time in the product and PostgreSQL together. The person has a fourteenth of the entries of people.`,
    '',
    `| answer | ${manyText}, clock | processor | ${fewText}, clock | processor | ratio by processor time |`,
    '|---|--:|--:|--:|--:|--:|',
    ...lines.map(({ name, large, small, ratio }) => {
      const figures = [large.ms, large.cpu, small.ms, small.cpu].map(formatMs)
      return `| ${name} | ${[...figures, ratio.toFixed(2)].join(' | ')} |`
    }),
    '',
    `A statement of ${statement.rows.toLocaleString('en')} lines as xlsx: ${(statement.bytes / 1e6).toFixed(1)} MB in ` +
      `${statement.seconds.toFixed(1)} s, the process held ${statement.peak.toFixed(0)} MB at its highest.`,
    '',
    `Aim: a balance in ${limits.balance} ms of processor time, a statement below ${limits.statement} MB: ` +
      `${isMet ? 'met' : 'missed'}, over ${rounds} alternating rounds.`,
    '',
  ].join('\n')
}
