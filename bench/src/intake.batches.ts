import type { openPool } from '@karvon/server/platform/database/pool.ts'
import type { LeadInput } from '@karvon/server/domains/leads/leads.types.ts'
import { shape, span } from './leads.generate.queries.ts'

type Pool = ReturnType<typeof openPool>

/** Leads of one source, as a network tells of them. */
export interface Batch {
  sourceId: number
  leads: LeadInput[]
}

export const batchSize = 1000
export const writers = 4

/** What comes in: how many leads of a batch are new, of the others half are told again unchanged, unless all move. */
export const mixes = {
  'new leads': { fresh: 1, moved: 0 },
  'leads that move': { fresh: 0, moved: 1 },
  'half new, a quarter moved, a quarter told again': { fresh: 0.5, moved: 0.25 },
} as const
export type Mix = keyof typeof mixes

/** Known leads of each source that may be told of again: few enough that writers meet at the same ones. */
const pool = 10_000
const words = ['accepted', 'sent', 'delivered', 'client_returned', 'cancelled', 'pending'] as const

/** Tells the same batches to whoever asks: all come from the round, the writer and the batch alone. */
export class Batches {
  readonly #known: ReadonlyMap<number, readonly LeadInput[]>

  private constructor(known: ReadonlyMap<number, readonly LeadInput[]>) {
    this.#known = known
  }

  /** Of leads of all days. */
  static async over(leads: Pool): Promise<Batches> {
    const known = new Map<number, LeadInput[]>()
    for (let source = 1; source <= shape.sources; source += 1) {
      const { rows } = await leads.query<LeadInput>(
        `select l.external_id, l.source_status, l.payout::text, l.currency, l.created_at::text, l.updated_at::text,
           o.name as offer, o.extra_id as offer_extra_id, s.name as stream, s.extra_id as stream_extra_id, l.comment
         from leads l left join offers o on o.id = l.offer_id left join streams s on s.id = l.stream_id
         where l.source_id = $1 order by hashint8(l.id) limit $2`,
        [source, pool],
      )
      known.set(source, rows)
    }
    return new Batches(known)
  }

  /** `serial` counts the batches of a writer in this bench; a lead moves later each time. */
  batch(mix: Mix, writer: number, serial: number): Batch {
    const sourceId = 1 + ((writer + serial) % shape.sources)
    const known = this.#known.get(sourceId) ?? []
    const { fresh, moved } = mixes[mix]
    const leads = Array.from({ length: batchSize }, (_, i): LeadInput => {
      if (i < fresh * batchSize) return newLead(sourceId, writer, serial, i)
      const told = known[(writer * 2477 + serial * 977 + i) % known.length]
      if (told === undefined) throw new Error(`Source ${sourceId} has no leads`)
      return i < (fresh + moved) * batchSize ? move(told, serial, i) : told
    })
    return { sourceId, leads }
  }
}

/** Of the last thirty days, by any stream of the source. */
function newLead(sourceId: number, writer: number, serial: number, i: number): LeadInput {
  const number = (writer * 1_000_003 + serial * 7919 + i) * 31
  const stream = streamsOf(sourceId)[number % (shape.streams / shape.sources)] ?? 1
  const at = new Date(
    Date.parse(`${span.last}T23:59:59+05:00`) - (number % (30 * 86_400)) * 1000,
  ).toISOString()
  return {
    external_id: `N${writer}-${serial}-${i}`,
    source_status: words[number % words.length] ?? 'new',
    payout: ((500_000 + (number % 9_999_991)) / 100).toFixed(2),
    currency: 'UZS',
    created_at: at,
    updated_at: at,
    offer: null,
    offer_extra_id: String(offerOf(stream)),
    stream: null,
    stream_extra_id: String(stream),
    comment: null,
  }
}

const offerOf = (stream: number) => 1 + ((stream - 1) % shape.offers)
const sourceOf = (stream: number) => 1 + (offerOf(stream) % shape.sources)

const streamLists = Array.from({ length: shape.sources }, (_, source) =>
  Array.from({ length: shape.streams }, (_, i) => i + 1).filter((stream) => sourceOf(stream) === source + 1),
)
const streamsOf = (sourceId: number) => streamLists[sourceId - 1] ?? []

function move(lead: LeadInput, serial: number, i: number): LeadInput {
  const later = new Date(Date.parse(`${span.last}T23:59:59+05:00`) + serial * 60_000).toISOString()
  return {
    ...lead,
    source_status: words[(serial + i) % words.length] ?? lead.source_status,
    updated_at: later,
  }
}
