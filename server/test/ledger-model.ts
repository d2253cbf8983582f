import { sql } from 'kysely'
import { insertAdjustment } from '../src/domains/ledger/ledger.adjustments.queries.ts'
import { foldLedgerDeltas } from '../src/domains/ledger/ledger.fold.queries.ts'
import { postQueuedLeads } from '../src/domains/ledger/ledger.leads.ts'
import { postLedgerEntries } from '../src/domains/ledger/ledger.post.queries.ts'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import { readBalances } from '../src/domains/payouts/payouts.balance.ts'
import { decideWithdrawal } from '../src/domains/payouts/payouts.decide.ts'
import { createWithdrawal } from '../src/domains/payouts/payouts.request.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { inTransaction } from '../src/platform/database/transaction.ts'
import { createEncryption } from '../src/platform/security/encryption.ts'
import { testKey } from './app.ts'
import { buildLead, type LeadDatabase } from './lead-database.ts'

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

interface Terms {
  scope: Scope
  person: number
  from: number
  share: number | null
  fixed: number
  holdDays: number
}

/** What a lead earns. `person` is null for nobody. */
interface Earned {
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

interface History {
  database: LeadDatabase
  model: Model
  sourceId: number
  offerId: number
  statusId: number
  credentialId: number
  people: number[]
  streams: number[]
}

const encryption = createEncryption([testKey])
const never = new AbortController().signal
const toDay = (day: number) => `2026-03-${String(day + 1).padStart(2, '0')}`
const decimal = (amount: number) => (amount / 100).toFixed(2)

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
      (each) => each.scope === scope && (scope === 'offer' || each.person === person) && each.from <= day,
    )
    const newest = valid.toSorted((a, b) => b.from - a.from)[0]
    if (newest !== undefined) return newest
  }
  return undefined
}

interface StoredLead {
  id: number
  lead: number
  code: string | null
  payout: number
  owner: number | null
}

/** Who owns the stream when a lead begins to earn keeps it while it does. */
function earn(history: History, { id, lead, code, payout, owner }: StoredLead): Earned {
  const { model, people } = history
  const none: Earned = { person: null, part: 0, payout: 0, isOnHold: false }
  if (code !== 'sold') return none
  const before = model.earned.get(id) ?? none
  const owned = owner === null ? null : people.indexOf(owner)
  const person = before.part > 0 ? before.person : owned
  if (person === null) return { ...none, payout }
  const terms = findTerms(model, person, model.leadDays.get(lead) ?? 0)
  const share = terms === undefined ? 10_000 : terms.share
  const part = share === null ? (terms?.fixed ?? 0) : Math.round((payout * share) / 10_000)
  return { person, part, payout, isOnHold: (terms?.holdDays ?? 0) > 0 }
}

/** What a person has by the model. */
function countBalance({ model }: History, person: number) {
  const parts = [...model.earned.values()].filter((each) => each.person === person)
  const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0)
  const own = model.withdrawals.filter((each) => each.person === person)
  const sumOf = (...statuses: string[]) =>
    sum(own.filter(({ status }) => statuses.includes(status)).map(({ amount }) => amount))
  const earned = sum(parts.map(({ part }) => part)) + (model.adjustments[person] ?? 0)
  const on_hold = sum(parts.filter(({ isOnHold }) => isOnHold).map(({ part }) => part))
  const [requested, paid] = [sumOf('requested', 'approved'), sumOf('paid')]
  return { earned, on_hold, available: earned - on_hold - requested - paid, requested, paid }
}

/** True unless the product refuses. */
async function isAccepted(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Does a step and changes the model. Throws if the product accepts or refuses what the model does not. */
export async function playStep(history: History, step: Step): Promise<void> {
  const { model, database, people, streams } = history
  const { db } = database
  switch (step.kind) {
    case 'day':
      model.day += 1
      return
    case 'fold':
      await foldLedgerDeltas(db, step.deltas)
      return
    case 'report':
      await report(history, step)
      break
    case 'owner':
      await sql`update streams set user_id = ${people[step.person] ?? null} where id = ${streams[step.stream]}`.execute(
        db,
      )
      await postQueuedLeads(db, never)
      break
    case 'type':
      await sql`update statuses set type_id = (select id from status_types where code = ${step.code})
        where id = ${history.statusId}`.execute(db)
      await postQueuedLeads(db, never)
      break
    case 'terms':
      await addTerms(history, step)
      return
    case 'adjust':
      await adjust(history, step)
      return
    case 'request':
      await request(history, step)
      return
    case 'decide':
      await decide(history, step)
      return
    case 'network':
      await payByNetwork(history, step)
      return
  }
  for (const lead of await readLeads(history)) model.earned.set(lead.id, earn(history, lead))
}

async function report({ model, database, sourceId, streams }: History, step: Step & { kind: 'report' }) {
  const day = model.leadDays.get(step.lead) ?? model.day
  model.leadDays.set(step.lead, day)
  const time = (hour: number) => `${toDay(day)}T${String(hour).padStart(2, '0')}:00:00+05:00`
  const lead = buildLead(String(step.lead), {
    source_status: step.status,
    payout: decimal(step.payout),
    created_at: time(0),
    updated_at: time(step.hour),
    stream_id: streams[step.stream] ?? 0,
    offer_extra_id: 'offer',
  })
  await ingestLeads(database.db, { sourceId, leads: [lead], origin: 'connector' })
}

async function readLeads({ database, sourceId }: History): Promise<StoredLead[]> {
  const { rows } = await database.pool.query<StoredLead>(
    `select l.id, l.external_id::integer as lead, t.code, (l.payout * 100)::bigint as payout, st.user_id as owner
     from leads l left join streams st on st.id = l.stream_id left join statuses s on s.id = l.status_id
     left join status_types t on t.id = s.type_id where l.source_id = $1`,
    [sourceId],
  )
  return rows
}

/** New terms start on a later day than every stored lead. */
async function addTerms({ model, database, people, offerId }: History, step: Step & { kind: 'terms' }) {
  const { kind: _kind, ...terms } = { ...step, from: model.day + 1 }
  const isSame = (each: Terms) =>
    each.scope === terms.scope &&
    each.from === terms.from &&
    (each.scope === 'offer' || each.person === terms.person)
  if (model.terms.some(isSame)) return
  model.terms.push(terms)
  await database.db
    .insertInto('payout_terms')
    .values({
      user_id: terms.scope === 'offer' ? null : (people[terms.person] ?? null),
      offer_id: terms.scope === 'person' ? null : offerId,
      valid_from: toDay(terms.from),
      earned_at: 'sold',
      share: terms.share === null ? null : terms.share / 100,
      fixed: terms.share === null ? terms.fixed / 100 : null,
      hold_days: terms.holdDays,
      minimum: 0,
      created_by: null,
    })
    .execute()
}

async function adjust({ model, database, people }: History, { person, amount }: Step & { kind: 'adjust' }) {
  if (amount === 0) return
  const refId = people[person] ?? 0
  const account = { account_kind: 'person', ref_id: refId, currency: 'UZS' } as const
  model.adjustments[person] = (model.adjustments[person] ?? 0) + amount
  await inTransaction(database.db, async (trx) => {
    const { id } = await insertAdjustment(trx, { account, amount: -amount / 100, reason: 'x', userId: refId })
    const target = { causeId: id, currency: 'UZS' }
    await postLedgerEntries(trx, {
      causeType: 'adjustment',
      causeIds: [id],
      targets: [
        { ...target, accountKind: 'person', refId, amount: decimal(-amount) },
        { ...target, accountKind: 'adjustments', refId: 0, amount: decimal(amount) },
      ],
    })
  })
}

async function request(history: History, { person, percent }: Step & { kind: 'request' }): Promise<void> {
  const { model, database, people } = history
  const { available } = countBalance(history, person)
  const open = model.withdrawals.filter(
    (each) => each.person === person && (each.status === 'requested' || each.status === 'approved'),
  )
  const amount = Math.max(1, Math.round((Math.max(available, 0) * percent) / 100))
  const values = { userId: people[person] ?? 0, currency: 'UZS', amount: amount / 100, details: 'Card' }
  const isAllowed = amount <= available && open.length < 10
  const stored = inTransaction(database.db, (trx) => createWithdrawal(trx, encryption, values))
  if ((await isAccepted(stored)) !== isAllowed)
    throw new Error(`A request of ${amount} of ${available} was ${isAllowed ? 'refused' : 'accepted'}`)
  if (isAllowed) model.withdrawals.push({ id: await stored, person, amount, status: 'requested' })
}

const ends = { approve: 'approved', pay: 'paid', decline: 'declined', cancel: 'cancelled' } as const

async function decide(history: History, { withdrawal, action }: Step & { kind: 'decide' }): Promise<void> {
  const { model, database, people } = history
  const chosen = model.withdrawals[withdrawal % model.withdrawals.length]
  if (chosen === undefined) return
  const { status, person, id } = chosen
  const isCovered = countBalance(history, person).available >= 0
  const isAllowed = {
    approve: status === 'requested' && isCovered,
    pay: status === 'approved' && isCovered,
    decline: status === 'requested' || status === 'approved',
    cancel: status === 'requested',
  }[action]
  const decided = inTransaction(database.db, (trx) =>
    decideWithdrawal(trx, {
      id,
      userId: people[person] ?? 0,
      action,
      reason: 'x',
      paidOn: '2026-03-01',
      reference: 'x',
    }),
  )
  if ((await isAccepted(decided)) !== isAllowed)
    throw new Error(`${action} of a ${status} withdrawal was ${isAllowed ? 'refused' : 'accepted'}`)
  if (isAllowed) chosen.status = ends[action]
}

/** A withdrawal at the network becomes paid, unpaid, or changes its amount. */
async function payByNetwork(
  { model, database, sourceId, credentialId }: History,
  { amount, isPaid }: Step & { kind: 'network' },
): Promise<void> {
  model.networkPaid = isPaid ? amount : 0
  await inTransaction(database.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      insert into network_transactions (source_credential_id, source_id, kind, key, amount, currency, is_paid, created_at)
      values (${credentialId}, ${sourceId}, 'withdrawal', '1', ${decimal(amount)}, 'UZS', ${isPaid}, now())
      on conflict on constraint network_transactions_key do update set amount = excluded.amount, is_paid = excluded.is_paid
      returning id`.execute(trx)
    const causeId = rows[0]?.id ?? 0
    const target = { causeId, currency: 'UZS' }
    await postLedgerEntries(trx, {
      causeType: 'network_transaction',
      causeIds: [causeId],
      targets:
        isPaid && amount !== 0
          ? [
              { ...target, accountKind: 'network', refId: sourceId, amount: decimal(-amount) },
              { ...target, accountKind: 'paid', refId: 0, amount: decimal(amount) },
            ]
          : [],
    })
  })
}

const nothing = { earned: 0, on_hold: 0, available: 0, requested: 0, paid: 0 }

/** The balances of the two people and the network, by the product and by the model. */
export async function readHistoryBalances(history: History): Promise<{ stored: object; expected: object }> {
  const { database, model, people, sourceId } = history
  const stored: object[] = []
  for (const id of people) {
    const [balance = nothing] = await readBalances(database.db, id)
    const keys = Object.keys(nothing) as (keyof typeof nothing)[]
    stored.push(Object.fromEntries(keys.map((key) => [key, Math.round(balance[key] * 100)])))
  }
  const { rows } = await database.pool.query<{ network: number; margin: number }>(
    `select (coalesce(sum(amount) filter (where account_kind = 'network'), 0) * 100)::bigint as network,
       (coalesce(sum(amount) filter (where account_kind = 'margin'), 0) * 100)::bigint as margin
     from ledger_entries e where (account_kind = 'network' and ref_id = $1)
       or (account_kind = 'margin' and cause_type = 'lead' and cause_id = any ($2))`,
    [sourceId, [...model.earned.keys()]],
  )
  const earned = [...model.earned.values()]
  const sum = (pick: (each: Earned) => number) => earned.reduce((total, each) => total + pick(each), 0)
  return {
    stored: { people: stored, ...rows[0] },
    expected: {
      people: people.map((_, person) => countBalance(history, person)),
      network: sum(({ payout }) => payout) - model.networkPaid,
      margin: sum(({ part, payout }) => part - payout),
    },
  }
}
