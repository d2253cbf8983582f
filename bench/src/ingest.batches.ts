import type { openPool } from '@karvon/server/platform/database/pool.ts'
import type { LeadInput } from '@karvon/server/domains/leads/leads.types.ts'
import { shape, span } from './leads.generate.queries.ts'

type Pool = ReturnType<typeof openPool>

/** Leads of one source, as a network reports them. */
export interface Batch {
  sourceId: number
  leads: LeadInput[]
}

export const batchSize = 1000
export const writers = 4

/** The share of new and of changed leads in a batch. The other leads are unchanged. */
export const mixes = {
  'new leads': { newShare: 1, changedShare: 0 },
  'changed leads': { newShare: 0, changedShare: 1 },
  'half new, a quarter changed, a quarter unchanged': { newShare: 0.5, changedShare: 0.25 },
} as const
export type Mix = keyof typeof mixes

/** Known leads of each source. The number is small, so that writers update the same leads. */
const knownPerSource = 10_000
const sourceStatuses = ['accepted', 'sent', 'delivered', 'client_returned', 'cancelled', 'pending'] as const

/** Builds batches. A batch depends only on the mix, the writer and the serial number. */
export class Batches {
  readonly #knownLeads: ReadonlyMap<number, readonly LeadInput[]>

  private constructor(knownLeads: ReadonlyMap<number, readonly LeadInput[]>) {
    this.#knownLeads = knownLeads
  }

  /** Loads known leads of all days. */
  static async load(leads: Pool): Promise<Batches> {
    const knownLeads = new Map<number, LeadInput[]>()
    for (let source = 1; source <= shape.sources; source += 1) {
      const { rows } = await leads.query<LeadInput>(
        `select l.external_id, l.source_status, l.payout::text, l.currency, l.created_at::text, l.updated_at::text,
           o.name as offer, o.extra_id as offer_extra_id, s.name as stream, s.extra_id as stream_extra_id, l.comment
         from leads l left join offers o on o.id = l.offer_id left join streams s on s.id = l.stream_id
         where l.source_id = $1 order by hashint8(l.id) limit $2`,
        [source, knownPerSource],
      )
      knownLeads.set(source, rows)
    }
    return new Batches(knownLeads)
  }

  /** `serial` counts the batches of a writer. A higher number gives a later change. */
  batch(mix: Mix, writer: number, serial: number): Batch {
    const sourceId = 1 + ((writer + serial) % shape.sources)
    const knownLeads = this.#knownLeads.get(sourceId) ?? []
    const { newShare, changedShare } = mixes[mix]
    const leads = Array.from({ length: batchSize }, (_, i): LeadInput => {
      if (i < newShare * batchSize) return createLead(sourceId, writer, serial, i)
      const lead = knownLeads[(writer * 2477 + serial * 977 + i) % knownLeads.length]
      if (lead === undefined) throw new Error(`Source ${sourceId} has no leads`)
      return i < (newShare + changedShare) * batchSize ? changeLead(lead, serial, i) : lead
    })
    return { sourceId, leads }
  }
}

/** Creates a lead of the last thirty days, of any stream of the source. */
function createLead(sourceId: number, writer: number, serial: number, i: number): LeadInput {
  const number = (writer * 1_000_003 + serial * 7919 + i) * 31
  const stream = getStreams(sourceId)[number % (shape.streams / shape.sources)] ?? 1
  const createdAt = new Date(
    Date.parse(`${span.last}T23:59:59+05:00`) - (number % (30 * 86_400)) * 1000,
  ).toISOString()
  return {
    external_id: `N${writer}-${serial}-${i}`,
    source_status: sourceStatuses[number % sourceStatuses.length] ?? 'new',
    payout: ((500_000 + (number % 9_999_991)) / 100).toFixed(2),
    currency: 'UZS',
    created_at: createdAt,
    updated_at: createdAt,
    offer: null,
    offer_extra_id: String(getOffer(stream)),
    stream: null,
    stream_extra_id: String(stream),
    comment: null,
  }
}

const getOffer = (stream: number) => 1 + ((stream - 1) % shape.offers)
const getSource = (stream: number) => 1 + (getOffer(stream) % shape.sources)

const streamLists = Array.from({ length: shape.sources }, (_, source) =>
  Array.from({ length: shape.streams }, (_, i) => i + 1).filter((stream) => getSource(stream) === source + 1),
)
const getStreams = (sourceId: number) => streamLists[sourceId - 1] ?? []

function changeLead(lead: LeadInput, serial: number, i: number): LeadInput {
  const updatedAt = new Date(Date.parse(`${span.last}T23:59:59+05:00`) + serial * 60_000).toISOString()
  return {
    ...lead,
    source_status: sourceStatuses[(serial + i) % sourceStatuses.length] ?? lead.source_status,
    updated_at: updatedAt,
  }
}
