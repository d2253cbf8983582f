import { sql } from 'kysely'
import { adjustAccount } from '../src/domains/ledger/ledger.adjustments.ts'
import { foldLedgerDeltas } from '../src/domains/ledger/ledger.fold.queries.ts'
import { postQueuedLeads } from '../src/domains/ledger/ledger.leads.ts'
import { postLedgerEntries } from '../src/domains/ledger/ledger.post.queries.ts'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import { decideWithdrawal } from '../src/domains/payouts/payouts.decide.ts'
import { createWithdrawal } from '../src/domains/payouts/payouts.request.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { inTransaction } from '../src/platform/database/transaction.ts'
import { createEncryption } from '../src/platform/security/encryption.ts'
import { testKey } from './app.ts'
import { buildLead } from './lead-database.ts'
import { countBalance, earn, type History, type Step, type StoredLead, type Terms } from './ledger-model.ts'

const settings = { encryption: createEncryption([testKey]), config: { currency: 'UZS' } }
const never = new AbortController().signal
const toDay = (day: number) => `2026-03-${String(day + 1).padStart(2, '0')}`
const decimal = (amount: number) => (amount / 100).toFixed(2)

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
  const isSame = (otherTerms: Terms) =>
    otherTerms.scope === terms.scope &&
    otherTerms.from === terms.from &&
    (otherTerms.scope === 'offer' || otherTerms.person === terms.person)
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
  const adjustment = { account, amount: -amount / 100, reason: 'x', userId: refId }
  await inTransaction(database.db, (trx) => adjustAccount(trx, adjustment))
}

async function request(history: History, { person, percent }: Step & { kind: 'request' }): Promise<void> {
  const { model, database, people } = history
  const { available } = countBalance(history, person)
  const open = model.withdrawals.filter(
    (withdrawal) =>
      withdrawal.person === person && (withdrawal.status === 'requested' || withdrawal.status === 'approved'),
  )
  const amount = Math.max(1, Math.round((Math.max(available, 0) * percent) / 100))
  const values = { userId: people[person] ?? 0, currency: 'UZS', amount: amount / 100, details: 'Card' }
  const isAllowed = amount <= available && open.length < 10
  const creation = inTransaction(database.db, (trx) => createWithdrawal(trx, settings, values))
  if ((await isAccepted(creation)) !== isAllowed)
    throw new Error(`A request of ${amount} of ${available} was ${isAllowed ? 'refused' : 'accepted'}`)
  if (isAllowed) model.withdrawals.push({ id: await creation, person, amount, status: 'requested' })
}

const ends = { approve: 'approved', pay: 'paid', decline: 'declined', cancel: 'cancelled' } as const

async function decide(history: History, { withdrawal, action }: Step & { kind: 'decide' }): Promise<void> {
  const { model, database, people } = history
  const chosenWithdrawal = model.withdrawals[withdrawal % model.withdrawals.length]
  if (chosenWithdrawal === undefined) return
  const { status, person, id } = chosenWithdrawal
  const isCovered = countBalance(history, person).available >= 0
  const isAllowed = {
    approve: status === 'requested' && isCovered,
    pay: status === 'approved' && isCovered,
    decline: status === 'requested' || status === 'approved',
    cancel: status === 'requested',
  }[action]
  const decision = inTransaction(database.db, (trx) =>
    decideWithdrawal(trx, {
      id,
      userId: people[person] ?? 0,
      action,
      reason: 'x',
      paidOn: '2026-03-01',
      reference: 'x',
    }),
  )
  if ((await isAccepted(decision)) !== isAllowed)
    throw new Error(`${action} of a ${status} withdrawal was ${isAllowed ? 'refused' : 'accepted'}`)
  if (isAllowed) chosenWithdrawal.status = ends[action]
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
