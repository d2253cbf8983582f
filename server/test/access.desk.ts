import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { roles } from '@karvon/contract/roles/roles.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import { ask, createTestApp, firstAdmin, signIn, type Signed } from './app.ts'
import { sendFile } from './files.ts'
import { buildLead } from './lead-database.ts'
import { ago, hour } from './moment.ts'
import { createUser, idOf } from './people.ts'
import { createSample } from './sample.ts'

/** Stands in every text of Rustam's rows, and of what Lola's role may not see. */
export const foreign = 'CHUZHOY'

/**
 * Two people of one role, each with a stream, leads and parcels; Lola also has a stream at a source that her role
 * does not see. Every text that she must not read holds {@link foreign}.
 */
export async function openScopeDesk() {
  const product = await createTestApp()
  const { app, deps } = product
  const admin = await signIn(app, firstAdmin.username, firstAdmin.password)
  const make = async (name: string) => (await createSample(app, admin, cpaSources, { name })).id
  const [seen, hidden] = [await make('Seen'), await make(`${foreign} source`)]
  const role = (await createSample(app, admin, roles, { code: 'buyers', source_ids: [seen] })).id
  // What another role sees is not theirs to see.
  await createSample(app, admin, roles, { code: 'others', source_ids: [hidden] })
  const lola = await createUser(app, admin, 'lola', role)
  const rustam = await createUser(app, admin, `${foreign}-rustam`, role)
  const idOfPerson = async (as: Signed) =>
    (await ask(app, as, 'GET', '/parcel/auth/me')).json<{ id: number }>().id
  const [lolaId, rustamId] = [await idOfPerson(lola), await idOfPerson(rustam)]

  const withLead = async (name: string, user_id: number, source_id: number) => {
    const stream = await createSample(app, admin, streams, { name, user_id, source_id, offer_id: null })
    const told = buildLead(`${name}-order`, { stream_id: stream.id, comment: name })
    await ingestLeads(deps.db, source_id, [told], { origin: 'file' })
    return { stream: stream.id, lead: await idOf(app, admin, `/api/admin/leads/?external_id=${name}-order`) }
  }
  const own = await withLead('Own', lolaId, seen)
  const others = await withLead(foreign, rustamId, seen)
  const unseen = await withLead(`${foreign}2`, lolaId, hidden)

  const parcel = async (orderno: string, owner: string) => {
    const content = `orderno,person,phone,town,status,event_time,owner\n${orderno},${orderno},${orderno},${orderno},NEW,${ago(hour)},${owner}`
    const sent = await sendFile(app, admin, '/api/admin/parcels/import/', { name: 'p.csv', content })
    if (sent.statusCode !== 200) throw new Error(`Importing ${orderno} gave ${sent.statusCode}: ${sent.body}`)
    return idOf(app, admin, `/api/parcel/parcels/all?orderno=${orderno}`)
  }
  const parcels = {
    own: await parcel('Own-1', 'lola'),
    others: await parcel(`${foreign}-1`, `${foreign}-rustam`),
  }
  return { product, admin, lola, rustam, lolaId, rustamId, role, seen, hidden, own, others, unseen, parcels }
}
