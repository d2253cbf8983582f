import type { Page } from '@karvon/contract/lib/page.ts'
import type { OutgoingPostback } from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { startTracker, type FakeTracker } from '@karvon/testkit/fakes/tracker.ts'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import type { LeadInput } from '../src/domains/leads/leads.types.ts'
import { outgoingPostbacksJob } from '../src/domains/outgoing-postbacks/outgoing-postbacks.job.ts'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from './app.ts'
import { buildLead } from './lead-database.ts'
import { createSample, type Row } from './sample.ts'

/** A media buyer: a stream at a source with the usual words, and a tracker that may be called. */
export interface Buyer {
  product: Product
  admin: Signed
  tracker: FakeTracker
  streamId: number
  /** A source and a stream of its own, so that a test's templates see its own leads alone. */
  newStream(): Promise<void>
  /** A template of the stream; `path` goes behind the tracker's address. */
  template(path: string, over?: Record<string, unknown>): Promise<Row>
  /** Takes leads of the stream in. */
  tell(...leads: (Partial<LeadInput> & { external_id: string })[]): Promise<void>
  /** One run of the job as another process would start it; everything queued is due first unless `asIs`. */
  send(asIs?: 'asIs'): Promise<void>
  /** The log by its call, oldest first. */
  log(query?: string): Promise<OutgoingPostback[]>
  close(): Promise<void>
}

export async function openBuyer(): Promise<Buyer> {
  const tracker = await startTracker()
  const product = await createTestApp({ KARVON_OUTBOUND_ALLOW: new URL(tracker.url).host })
  const { app, deps } = product
  const admin = await signIn(app, firstAdmin.username, firstAdmin.password)
  let sourceId = 0
  const buyer: Buyer = {
    product,
    admin,
    tracker,
    streamId: 0,
    async newStream() {
      sourceId = (await createSample(app, admin, cpaSources)).id
      const made = await createSample(app, admin, streams, { source_id: sourceId, offer_id: null })
      buyer.streamId = made.id
      tracker.requests.splice(0)
      tracker.mode = 'ok'
      tracker.modes.clear()
    },
    template: (path, over = {}) =>
      createSample(app, admin, postbackTemplates, {
        stream_id: buyer.streamId,
        state: null,
        is_active: true,
        url: `${tracker.url}${path}`,
        ...over,
      }),
    async tell(...leads) {
      const told = leads.map((each) => buildLead(each.external_id, { stream_id: buyer.streamId, ...each }))
      await ingestLeads(deps.db, sourceId, told, { origin: 'file' })
    },
    async send(asIs) {
      if (asIs === undefined) await deps.pool.query('update outgoing_postbacks set next_at = now()')
      await outgoingPostbacksJob(deps).run(new AbortController().signal)
    },
    async log(query = '') {
      const url = `/api/admin/outgoing-postbacks/?sort=id&per_page=200&${query}`
      return (await ask(app, admin, 'GET', url)).json<Page<OutgoingPostback>>().items
    },
    async close() {
      await product.close()
      await tracker.close()
    },
  }
  return buyer
}
