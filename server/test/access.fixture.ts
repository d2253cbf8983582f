import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { roles } from '@karvon/contract/roles/roles.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import { insertAlert } from './alert-rows.ts'
import { callApi, createTestApp, signInAdmin, type Session } from './app.ts'
import { sendFile } from './files.ts'
import { buildLead } from './lead-database.ts'
import { ago, hour } from './moment.ts'
import { createUser, readId, readOwnId } from './people.ts'
import { createSample } from './sample.ts'

/** Part of every text that Lola may not read. */
export const foreignMark = 'CHUZHOY'

/**
 * Creates two people of one role, each with a stream, leads, parcels and a settlement act. Lola also has a stream at a source that her role
 * may not see. Every text that she may not read contains {@link foreignMark}.
 */
export async function createScopeFixture() {
  const product = await createTestApp({ KARVON_TELEGRAM_TOKEN: '1:token' })
  const { app, deps } = product
  const admin = await signInAdmin(app)
  const createSource = async (name: string) => (await createSample(app, admin, cpaSources, { name })).id
  const [visibleSource, hiddenSource] = [
    await createSource('Seen'),
    await createSource(`${foreignMark} source`),
  ]
  const role = (await createSample(app, admin, roles, { code: 'buyers', source_ids: [visibleSource] })).id
  // The sources of another role are not visible to them.
  const otherRole = (await createSample(app, admin, roles, { code: 'others', source_ids: [hiddenSource] })).id
  const lola = await createUser(app, admin, 'lola', role)
  const rustam = await createUser(app, admin, `${foreignMark}-rustam`, role)
  const [lolaId, rustamId] = [await readOwnId(app, lola), await readOwnId(app, rustam)]

  const createStreamWithLead = async (name: string, user_id: number, source_id: number) => {
    const stream = await createSample(app, admin, streams, { name, user_id, source_id, offer_id: null })
    const lead = buildLead(`${name}-order`, { stream_id: stream.id, comment: name })
    await ingestLeads(deps.db, { sourceId: source_id, leads: [lead], origin: 'file' })
    return {
      stream: stream.id,
      lead: await readId(app, admin, `/api/admin/leads/?external_id=${name}-order`),
    }
  }
  const ownStream = await createStreamWithLead('Own', lolaId, visibleSource)
  const foreignStream = await createStreamWithLead(foreignMark, rustamId, visibleSource)
  const hiddenLead = await createStreamWithLead(`${foreignMark}2`, lolaId, hiddenSource)

  const importParcel = async (orderno: string, owner: string) => {
    const content = `orderno,person,phone,town,status,event_time,owner\n${orderno},${orderno},${orderno},${orderno},NEW,${ago(hour)},${owner}`
    const response = await sendFile(app, admin, '/api/admin/parcels/import/', { name: 'p.csv', content })
    if (response.statusCode !== 200)
      throw new Error(`Importing ${orderno} gave ${response.statusCode}: ${response.body}`)
    return readId(app, admin, `/api/parcel/parcels/all?orderno=${orderno}`)
  }
  const parcels = {
    own: await importParcel('Own-1', 'lola'),
    others: await importParcel(`${foreignMark}-1`, `${foreignMark}-rustam`),
  }
  /** One entry in the ledger, and an open withdrawal. */
  const createMoney = async (user_id: number, text: string) => {
    const entry = { account_id: `person-${user_id}-UZS`, amount: -50, reason: text }
    await callApi(app, admin, 'POST', '/api/admin/ledger/adjustments/', entry)
    const { id } = await deps.db
      .insertInto('withdrawals')
      .values({ user_id, currency: 'UZS', amount: 10, details: text })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  /** A closed statement. The name of its person identifies the owner. */
  const closeStatement = async (user_id: number) => {
    const statement = { user_id, currency: 'UZS', start_date: '2026-01-01', end_date: '2026-01-31' }
    const answer = await callApi(app, admin, 'POST', '/api/admin/statements/', statement)
    return answer.json<{ id: number }>().id
  }
  const statements = { own: await closeStatement(lolaId), others: await closeStatement(rustamId) }
  const withdrawals = {
    own: await createMoney(lolaId, 'Own'),
    others: await createMoney(rustamId, foreignMark),
  }
  const importAct = async (number: string, orderno: string, user_id: number) => {
    const account = await createSample(app, admin, courierAccounts, {
      name: number,
      user_id,
      is_active: false,
    })
    const content = `act_number,act_date,orderno,collected,status\n${number},2026-11-20,${orderno},0,${number}`
    const fields = { courier_account_id: String(account.id) }
    const response = await sendFile(
      app,
      admin,
      '/api/admin/settlements/import/',
      { name: 'a.csv', content },
      fields,
    )
    if (response.statusCode !== 200)
      throw new Error(`Importing ${number} gave ${response.statusCode}: ${response.body}`)
    return readId(app, admin, `/api/admin/settlements/?search=${number}`)
  }
  const acts = {
    own: await importAct('Own-act', 'Own-1', lolaId),
    others: await importAct(`${foreignMark}-act`, `${foreignMark}-1`, rustamId),
  }
  // Two rules of each person: a test deletes one of them.
  const createAlerts = async (userId: number, text: string) => {
    const { rule: deletedRule } = await insertAlert(deps.pool, userId, `${text}-deleted`)
    await deps.pool.query('delete from alert_incidents where rule_id = $1', [deletedRule])
    return { ...(await insertAlert(deps.pool, userId, text)), deleted: deletedRule }
  }
  const alerts = { own: await createAlerts(lolaId, 'Own'), others: await createAlerts(rustamId, foreignMark) }
  /** A view of each person, and one of the admin that is shared with another role. */
  const saveView = async (as: Session, name: string, shared_role_ids: number[] = []) => {
    const schedule = { channel: 'telegram', time: '09:00', weekdays: [1] }
    const view = { name, address: `/explore?sub1=${name}`, shared_role_ids, schedule }
    return (await callApi(app, as, 'POST', '/api/views/', view)).json<{ id: number }>().id
  }
  const views = { own: await saveView(lola, 'Own'), others: [await saveView(rustam, foreignMark)] }
  const deletedViews = {
    own: await saveView(lola, 'Own old'),
    others: [await saveView(rustam, `${foreignMark} old`)],
  }
  await saveView(admin, `${foreignMark} shared`, [otherRole])
  return {
    product,
    admin,
    alerts,
    withdrawals,
    statements,
    lola,
    rustam,
    lolaId,
    rustamId,
    role,
    seen: visibleSource,
    hidden: hiddenSource,
    own: ownStream,
    others: foreignStream,
    unseen: hiddenLead,
    parcels,
    acts,
    views,
    deletedViews,
  }
}
