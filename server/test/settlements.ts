import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { courierTariffs } from '@karvon/contract/courier-tariffs/courier-tariffs.ts'
import type { SettlementKind } from '@karvon/contract/settlements/differences.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import type { FakeAct, FakeActLine } from '@karvon/testkit/fakes/measoft.acts.ts'
import { startMeasoft, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { settlementDifferencesJob } from '../src/domains/settlements/settlements.job.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from './app.ts'
import { runCourierSyncs } from './jobs.ts'
import { ago, day } from './moment.ts'
import { createUser, readId } from './people.ts'
import { createSample } from './sample.ts'

const login = { extra: '8', login: 'karvon', pass: 'secret' }

export interface SettlementFixture {
  product: Product
  admin: Session
  aziz: Session
  azizId: number
  courier: FakeMeasoft
  /** A courier account of Aziz. */
  account: number
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Inserts parcels of a person. */
  addParcels(ownerId: number, parcels: readonly TestParcel[]): Promise<void>
  /** Runs a sync that reads the acts, even within an hour. */
  fetchActs(): Promise<SyncRun>
  runJob(): Promise<void>
  close(): Promise<void>
}

/** A parcel with its cash on delivery in whole sums, delivered and changed 20 days ago unless it has another code. */
export interface TestParcel {
  orderno: string
  cash: number
  code?: 'DELIVERED' | 'RETURNED' | 'IN_TRANSIT'
}

/** A day before the start of the tests, yyyy-mm-dd. */
export const dayAgo = (days: number): string => ago(days * day).slice(0, 10)

/** `env`: further settings of the product. */
export async function createSettlementFixture(env: Record<string, string> = {}): Promise<SettlementFixture> {
  const courier = await startMeasoft(login)
  const product = await createTestApp({ KARVON_OUTBOUND_ALLOW: new URL(courier.url).host, ...env })
  const { app, deps } = product
  const admin = await signInAdmin(app)
  const aziz = await createUser(app, admin, 'aziz')
  const azizId = await readId(app, admin, '/api/admin/users/?username=aziz')
  const body = { url: courier.url, ...login, user_id: azizId, settlement_days: null, is_active: true }
  const { id: account } = await createSample(app, admin, courierAccounts, body)
  const query = async <Row>(text: string, values: unknown[] = []) =>
    (await deps.pool.query<Row & Record<string, unknown>>(text, values)).rows
  return {
    product,
    admin,
    aziz,
    azizId,
    courier,
    account,
    query,
    async addParcels(ownerId, parcels) {
      for (let at = 0; at < parcels.length; at += 5000) {
        const batch = parcels.slice(at, at + 5000)
        await query(
          `insert into parcels (orderno, owner_id, day, status_code, status_raw, status_title, eventtime, updated_at,
             cod_amount)
           select o, $1, current_date, c, case c when 'DELIVERED' then 'COMPLETE' else c end, c, t.at, t.at, m
           from unnest($2::text[], $3::text[], $4::numeric[]) as p (o, c, m), (select now() - interval '20 days') t (at)`,
          [
            ownerId,
            batch.map(({ orderno }) => orderno),
            batch.map(({ code = 'DELIVERED' }) => code),
            batch.map(({ cash }) => cash),
          ],
        )
      }
    },
    async fetchActs() {
      await callApi(app, admin, 'POST', `/api/admin/courier-accounts/${account}/run/`)
      await runCourierSyncs(deps)
      const url = `/api/admin/sync-runs/?courier_account_id=${account}&per_page=1`
      const [run] = (await callApi(app, admin, 'GET', url)).json<{ items: SyncRun[] }>().items
      if (run === undefined) throw new Error('There is no run')
      return run
    },
    runJob: async () => void (await settlementDifferencesJob(deps).run(new AbortController().signal)),
    async close() {
      await product.close()
      await courier.close()
    },
  }
}

/** What the tariff of {@link plantFaults} gives for a delivery, and of the collected cash. */
const tariff = { delivery_fee: 20_000, cash_percent: 1.5, cash_fee: null }

const faults = [
  'unknown',
  'foreign',
  'too little',
  'prepaid',
  'wrong due',
  'delivery fee',
  'cash fee',
  'again in another act',
  'twice in an act',
  'returned',
  'in transit',
  'in no act',
] as const
type Fault = (typeof faults)[number]

const kinds: Record<Fault, SettlementKind> = {
  unknown: 'unknown_order',
  foreign: 'unknown_order',
  'too little': 'amount',
  prepaid: 'amount',
  'wrong due': 'amount',
  'delivery fee': 'fee',
  'cash fee': 'fee',
  'again in another act': 'settled_twice',
  'twice in an act': 'settled_twice',
  returned: 'not_delivered',
  'in transit': 'not_delivered',
  'in no act': 'missing',
}

const toAmount = (sum: number) => sum.toFixed(2)

function buildLine(n: number, orderno: string, cash: number): FakeActLine {
  const priceag = toAmount((cash * tariff.cash_percent) / 100)
  return { code: String(n), orderno, rur: toAmount(cash), pricekur: toAmount(tariff.delivery_fee), priceag }
}

/** The faults of a line's amounts. All other faults are of the parcel, or of the place of the line. */
const amountFaults: Partial<Record<Fault, (line: FakeActLine, cash: number) => FakeActLine>> = {
  'too little': ({ code, orderno }, cash) => buildLine(Number(code), orderno, cash - 1000),
  prepaid: ({ code, orderno }) => buildLine(Number(code), orderno, 70_000),
  'wrong due': (line) => ({ ...line, pricecalc: '1.00' }),
  'delivery fee': (line) => ({ ...line, pricekur: '25000.00' }),
  'cash fee': (line) => ({ ...line, priceag: '0.01' }),
}

/** The line of a parcel with its fault. */
function buildFaultyLine(n: number, fault: Fault | undefined, cash: number): FakeActLine {
  const line = buildLine(n, `S-${n}`, cash)
  const change = fault === undefined ? undefined : amountFaults[fault]
  return change?.(line, cash) ?? line
}

/** The last acts are unpaid, so that each sync reads them. */
const unpaidActs = 3

/**
 * Plants `count` parcels of Aziz and their acts at the courier. Each of the twelve kinds of faults occurs in one of twenty
 * parcels. Answers the differences that Karvon must find, as sorted lines of order number and kind.
 */
export async function plantFaults(
  fixture: SettlementFixture,
  { count, linesPerAct }: { count: number; linesPerAct: number },
): Promise<string[]> {
  const { product, admin, azizId, account, courier } = fixture
  await callApi(product.app, admin, 'POST', `${courierTariffs.path}/`, {
    ...tariff,
    name: 'Agreed',
    courier_account_id: account,
    valid_from: '2020-01-01',
  })
  const ownParcels: TestParcel[] = []
  const foreign: TestParcel[] = []
  const lines: FakeActLine[] = []
  const again: FakeActLine[] = []
  const expected: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const fault = faults[n % 20]
    const cash = fault === 'prepaid' ? 0 : 100_000 + (n % 50) * 1000
    const code = fault === 'returned' ? 'RETURNED' : fault === 'in transit' ? 'IN_TRANSIT' : 'DELIVERED'
    if (fault !== 'unknown')
      (fault === 'foreign' ? foreign : ownParcels).push({ orderno: `S-${n}`, cash, code })
    const line = buildFaultyLine(n, fault, cash)
    if (fault !== 'in no act') lines.push(line)
    if (fault === 'twice in an act') lines.push({ ...line, code: `${n}b` })
    if (fault === 'again in another act') again.push({ ...line, code: `${n}c` })
    if (fault !== undefined) expected.push(`S-${n} ${kinds[fault]}`)
  }
  await fixture.addParcels(azizId, ownParcels)
  await fixture.addParcels(await readId(product.app, admin, '/api/admin/users/?username=admin'), foreign)
  const addAct = (code: string, days: number, details: Pick<FakeAct, 'lines' | 'datepay'>) =>
    courier.acts?.set(code, { code, number: `A-${code}`, actdate: dayAgo(days), ...details })
  const acts = Math.ceil(lines.length / linesPerAct)
  for (let n = 1; n <= acts; n += 1)
    addAct(String(n), 10, {
      lines: lines.slice((n - 1) * linesPerAct, n * linesPerAct),
      ...(n <= acts - unpaidActs && { datepay: dayAgo(4) }),
    })
  addAct('again', 5, { lines: again })
  return expected.toSorted()
}

/** The balances of the kinds of accounts, that the planted acts give. */
export function countPlantedMoney(fixture: SettlementFixture): Record<string, number> {
  const toTiyin = (text: string) => Math.round(Number(text) * 100)
  const tiyin = { courier: 0, paid: 0, person: 0, unassigned: 0 }
  for (const { lines, datepay } of fixture.courier.acts?.values() ?? [])
    for (const line of lines) {
      const due = toTiyin(line.rur) - toTiyin(line.pricekur) - toTiyin(line.priceag)
      const statedDue = line.pricecalc === undefined ? due : toTiyin(line.pricecalc)
      const fault = faults[Number(line.orderno.slice(2)) % 20]
      tiyin.courier += statedDue
      tiyin[fault === 'unknown' || fault === 'foreign' ? 'unassigned' : 'person'] -= statedDue
      if (datepay === undefined) continue
      // What an act pays is the sum of its head, which has no `pricecalc`.
      tiyin.courier -= due
      tiyin.paid += due
    }
  return Object.fromEntries(Object.entries(tiyin).map(([kind, sum]) => [kind, sum / 100]))
}

/** The balances of the kinds of accounts, counted from the entries of the ledger. */
export async function readPostedSums(fixture: SettlementFixture): Promise<Record<string, number>> {
  const rows = await fixture.query<{ kind: string; amount: number }>(
    'select account_kind as kind, sum(amount) as amount from ledger_entries group by 1',
  )
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]))
}

/** The open differences, as {@link plantFaults} answers them. */
export async function readOpenDifferences(fixture: SettlementFixture): Promise<string[]> {
  const rows = await fixture.query<{ line: string }>(
    `select orderno || ' ' || kind as line from settlement_differences where status = 'open'`,
  )
  return rows.map(({ line }) => line).toSorted()
}

/** A sum over every row that acts write, with the version of each row: an update without a change is seen too. */
export async function readVersions(fixture: SettlementFixture): Promise<string> {
  const tables = [
    'settlement_acts',
    'settlement_lines',
    'settlement_differences',
    'parcels',
    'ledger_entries',
  ]
  const sums = tables.map(
    (table) => `(select md5(string_agg(concat(t.xmin, t::text), '' order by id)) from ${table} t)`,
  )
  const [row] = await fixture.query<{ sum: string }>(`select concat(${sums.join(', ')}) as sum`)
  return row?.sum ?? ''
}

/** The lines of acts with neither a parcel nor an open difference, and the parcels of lines that are not settled. */
export async function countUnexplained(fixture: SettlementFixture): Promise<number> {
  const [row] = await fixture.query<{ n: number }>(`
    select (select count(*) from settlement_lines l where l.removed_at is null and l.parcel_id is null and not exists (
        select from settlement_differences d where d.line_id = l.id and d.status = 'open'))
      + (select count(*) from settlement_lines l join parcels p on p.id = l.parcel_id
        where l.removed_at is null and p.settled_at is null) as n`)
  return row?.n ?? -1
}
