import type { Page } from '@karvon/contract/lib/page.ts'
import type { OutgoingPostback } from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { startTracker, type FakeTracker } from '@karvon/testkit/fakes/tracker.ts'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import type { LeadInput } from '../src/domains/leads/leads.types.ts'
import { outgoingPostbacksJob } from '../src/domains/outgoing-postbacks/outgoing-postbacks.job.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from './app.ts'
import { buildLead } from './lead-database.ts'
import { createSample, type Row } from './sample.ts'

/** A media buyer with a stream at a source with default mappings, and a tracker. */
export interface Buyer {
  product: Product
  admin: Session
  tracker: FakeTracker
  /** A tracker with another host. */
  otherTracker: FakeTracker
  streamId: number
  /** Creates a source and a stream, so that the templates of a test get only its own leads. */
  newStream(): Promise<void>
  /** Adds a template of the stream. `path` follows the tracker's address. */
  addTemplate(path: string, overrides?: Record<string, unknown>): Promise<Row>
  /** Ingests leads of the stream. */
  ingest(...leads: (Partial<LeadInput> & { external_id: string })[]): Promise<void>
  /** Runs the job once. Makes everything queued due first unless `asIs`. */
  runJob(asIs?: 'asIs'): Promise<void>
  /** The log of outgoing postbacks, oldest first. */
  log(query?: string): Promise<OutgoingPostback[]>
  close(): Promise<void>
}

export async function openBuyer(): Promise<Buyer> {
  const tracker = await startTracker()
  const otherTracker = await startTracker()
  const hosts = [tracker, otherTracker].map(({ url }) => new URL(url).host)
  const product = await createTestApp({ KARVON_OUTBOUND_ALLOW: hosts.join(',') })
  const { app, deps } = product
  const admin = await signInAdmin(app)
  let sourceId = 0
  const buyer: Buyer = {
    product,
    admin,
    tracker,
    otherTracker,
    streamId: 0,
    async newStream() {
      sourceId = (await createSample(app, admin, cpaSources)).id
      const stream = await createSample(app, admin, streams, { source_id: sourceId, offer_id: null })
      buyer.streamId = stream.id
      tracker.requests.splice(0)
      otherTracker.requests.splice(0)
      tracker.mode = 'ok'
      tracker.modes.clear()
    },
    addTemplate: (path, overrides = {}) =>
      createSample(app, admin, postbackTemplates, {
        stream_id: buyer.streamId,
        state: null,
        is_active: true,
        url: `${tracker.url}${path}`,
        ...overrides,
      }),
    async ingest(...leads) {
      const leadInputs = leads.map((lead) =>
        buildLead(lead.external_id, { stream_id: buyer.streamId, ...lead }),
      )
      await ingestLeads(deps.db, { sourceId, leads: leadInputs, origin: 'file' })
    },
    async runJob(asIs) {
      if (asIs === undefined) await deps.pool.query('update outgoing_postbacks set next_at = now()')
      await outgoingPostbacksJob(deps).run(new AbortController().signal)
    },
    async log(query = '') {
      const url = `/api/admin/outgoing-postbacks/?sort=id&per_page=200&${query}`
      return (await callApi(app, admin, 'GET', url)).json<Page<OutgoingPostback>>().items
    },
    async close() {
      await product.close()
      await tracker.close()
      await otherTracker.close()
    },
  }
  return buyer
}
