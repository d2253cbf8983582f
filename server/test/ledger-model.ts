import { readBalances } from '../src/domains/payouts/payouts.balance.ts'
import type { LeadDatabase } from './lead-database.ts'

/** Amounts are in hundredths. `person`, `stream`, `lead` and `withdrawal` are positions; person 2 is nobody. */
export type Step =
  | { kind: 'report'; lead: number; stream: number; status: string; payout: number; hour: number }
  | { kind: 'owner'; stream: number; person: number }
  | { kind: 'terms'; scope: Scope; person: number; share: number | null; fixed: number; holdDays: number }
  | { kind: 'day' }
  | { kind: 'type'; code: string }
  | { kind: 'adjust'; person: number; amount: number }
  | { kind: 'request'; person: number; percent: number }
  | { kind: 'decide'; withdrawal: number; action: 'approve' | 'pay' | 'decline' | 'cancel' }
  | { kind: 'network'; amount: number; isPaid: boolean }
  | { kind: 'fold'; deltas: number }

type Scope = 'person' | 'offer' | 'person and offer'

export interface Terms {
  scope: Scope
  person: number
  from: number
  share: number | null
  fixed: number
  holdDays: number
}

/** What a lead earns. `person` is null for nobody. */
export interface Earned {
  person: number | null
  part: number
  payout: number
  isOnHold: boolean
}

interface ModelWithdrawal {
  id: number
  person: number
  amount: number
  status: string
}

/** What the ledger must contain, counted without it. */
interface Model {
  day: number
  terms: Terms[]
  leadDays: Map<number, number>
  earned: Map<number, Earned>
  adjustments: number[]
  withdrawals: ModelWithdrawal[]
  networkPaid: number
}

export interface History {
  database: LeadDatabase
  model: Model
  sourceId: number
  offerId: number
  statusId: number
  credentialId: number
  people: number[]
  streams: number[]
}

let histories = 0

/** A source with two streams of nobody, two people, an offer, and a status of its own. */
export async function startHistory(database: LeadDatabase): Promise<History> {
  histories += 1
  const name = `history-${histories}`
  const insert = async (text: string, ...values: unknown[]) =>
    (await database.pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]?.id ?? 0
  const createPerson = (part: string) =>
    insert(
      `insert into users (username, name, email, password_hash, role_id)
       select $1, $1, $1 || '@example.uz', 'x', id from roles where code = 'user'`,
      `${name}-${part}`,
    )
  const sourceId = await database.newSource()
  const statusId = await insert(
    `insert into statuses (name, type_id) select $1, id from status_types where code = 'sold'`,
    name,
  )
  await insert(
    `insert into source_statuses (name, source_id, source_name, status_id) values ('special', $1, 'special', $2)`,
    sourceId,
    statusId,
  )
  const people = [await createPerson('a'), await createPerson('b')]
  const insertStream = `insert into streams (name, source_id) values ('Stream', $1)`
  return {
    database,
    sourceId,
    statusId,
    people,
    offerId: await insert(
      `insert into offers (name, price, affiliate_fee, status_id, source_id, extra_id)
       values ('Offer', 1, 1, $1, $2, 'offer')`,
      statusId,
      sourceId,
    ),
    credentialId: await insert(
      'insert into source_credentials (name, user_id, source_id) values ($1, $2, $3)',
      name,
      people[0],
      sourceId,
    ),
    streams: [await insert(insertStream, sourceId), await insert(insertStream, sourceId)],
    model: {
      day: 0,
      terms: [],
      leadDays: new Map(),
      earned: new Map(),
      adjustments: [0, 0],
      withdrawals: [],
      networkPaid: 0,
    },
  }
}

const specificity: readonly Scope[] = ['person and offer', 'person', 'offer']

/** The newest terms of the most specific scope, by the lead's day. */
function findTerms({ terms }: Model, person: number, day: number): Terms | undefined {
  for (const scope of specificity) {
    const valid = terms.filter(
      (entry) => entry.scope === scope && (scope === 'offer' || entry.person === person) && entry.from <= day,
    )
    const newest = valid.toSorted((a, b) => b.from - a.from)[0]
    if (newest !== undefined) return newest
  }
  return undefined
}

export interface StoredLead {
  id: number
  lead: number
  code: string | null
  payout: number
  owner: number | null
}

/** Who owns the stream when a lead begins to earn keeps it while it earns anything. */
export function earn(history: History, lead: StoredLead): Earned {
  const { model, people } = history
  const { id, code, payout, owner } = lead
  const noEarning: Earned = { person: null, part: 0, payout: 0, isOnHold: false }
  if (code !== 'sold') return noEarning
  const before = model.earned.get(id) ?? noEarning
  const kept = before.part > 0 && before.person !== null ? earnAs(model, before.person, lead) : noEarning
  if (kept.part > 0) return kept
  return owner === null ? { ...noEarning, payout } : earnAs(model, people.indexOf(owner), lead)
}

function earnAs(model: Model, person: number, { lead, payout }: StoredLead): Earned {
  const terms = findTerms(model, person, model.leadDays.get(lead) ?? 0)
  const share = terms === undefined ? 10_000 : terms.share
  const part = share === null ? (terms?.fixed ?? 0) : Math.round((payout * share) / 10_000)
  return { person, part, payout, isOnHold: (terms?.holdDays ?? 0) > 0 }
}

/** What a person has by the model. */
export function countBalance({ model }: History, person: number) {
  const parts = [...model.earned.values()].filter((earning) => earning.person === person)
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const ownWithdrawals = model.withdrawals.filter((withdrawal) => withdrawal.person === person)
  const sumOf = (...statuses: string[]) =>
    sum(ownWithdrawals.filter(({ status }) => statuses.includes(status)).map(({ amount }) => amount))
  const earned = sum(parts.map(({ part }) => part)) + (model.adjustments[person] ?? 0)
  const on_hold = sum(parts.filter(({ isOnHold }) => isOnHold).map(({ part }) => part))
  const [requested, paid] = [sumOf('requested', 'approved'), sumOf('paid')]
  return { earned, on_hold, available: earned - on_hold - requested - paid, requested, paid }
}

const noBalance = { earned: 0, on_hold: 0, available: 0, requested: 0, paid: 0 }

/** The balances of the two people and the network, by the product and by the model. */
export async function readHistoryBalances(history: History): Promise<{ stored: object; expected: object }> {
  const { database, model, people, sourceId } = history
  const storedBalances: object[] = []
  for (const id of people) {
    const [balance = noBalance] = await readBalances(database.db, [id])
    const keys = Object.keys(noBalance) as (keyof typeof noBalance)[]
    storedBalances.push(Object.fromEntries(keys.map((key) => [key, Math.round(balance[key] * 100)])))
  }
  const { rows } = await database.pool.query<{ network: number; margin: number }>(
    `select (coalesce(sum(amount) filter (where account_kind = 'network'), 0) * 100)::bigint as network,
       (coalesce(sum(amount) filter (where account_kind = 'margin'), 0) * 100)::bigint as margin
     from ledger_entries e where (account_kind = 'network' and ref_id = $1)
       or (account_kind = 'margin' and cause_type = 'lead' and cause_id = any ($2))`,
    [sourceId, [...model.earned.keys()]],
  )
  const earnings = [...model.earned.values()]
  const sum = (pick: (each: Earned) => number) =>
    earnings.reduce((total, earning) => total + pick(earning), 0)
  return {
    stored: { people: storedBalances, ...rows[0] },
    expected: {
      people: people.map((_, person) => countBalance(history, person)),
      network: sum(({ payout }) => payout) - model.networkPaid,
      margin: sum(({ part, payout }) => part - payout),
    },
  }
}
