import type { LeadInput } from '../src/domains/leads/leads.types.ts'
import { buildLead } from './lead-database.ts'
import type { MoneyReferences } from './ledger-recount.ts'
import { createRandom } from './networks.ts'

/** A lead that is sold, and perhaps returned. Amounts are in hundredths. */
export interface LeadHistory {
  externalId: string
  sourceId: number
  /** Positions in `MoneyReferences`. */
  stream: number
  day: string
  payout: number
  reversal: 'none' | 'before payment' | 'after payment'
}

/** A generator of whole numbers from 0 up to below a limit. */
function createDice(seed: number): (limit: number) => number {
  const random = createRandom(seed)
  return (limit) => Math.floor(random() * limit)
}

/** One lead of five is returned, a third of these after the payment. */
export function createHistories(references: MoneyReferences, count: number): LeadHistory[] {
  const random = createDice(7)
  return Array.from({ length: count }, (_, i): LeadHistory => {
    const stream = random(references.streams.length)
    const isReversed = i % 5 === 0
    return {
      externalId: `L${i}`,
      sourceId: references.streams[stream]?.sourceId ?? 0,
      stream,
      day: references.days[random(references.days.length)] ?? '',
      payout: 1 + random(50_000_000),
      reversal: !isReversed ? 'none' : i % 3 === 0 ? 'after payment' : 'before payment',
    }
  })
}

export interface LeadReport {
  sourceId: number
  lead: LeadInput
}

const hours = { accepted: 1, sold: 2, returned: 3 } as const

/** The reports of a phase in random order. A tenth of the reports of the first phase arrive again in the second. */
export function readReports(
  histories: readonly LeadHistory[],
  phase: 'before payment' | 'after payment',
): LeadReport[] {
  const random = createDice(phase === 'before payment' ? 11 : 13)
  const reports: LeadReport[] = []
  const add = (history: LeadHistory, status: keyof typeof hours) => {
    const { externalId, sourceId, day, payout, stream } = history
    const time = (hour: number) => `${day}T0${hour}:00:00Z`
    const lead = buildLead(externalId, {
      source_status: status,
      payout: (payout / 100).toFixed(2),
      created_at: time(0),
      updated_at: time(hours[status]),
      stream_extra_id: String(stream),
      offer_extra_id: String(stream % 7),
    })
    reports.push({ sourceId, lead })
  }
  for (const history of histories) {
    if (phase === 'before payment') {
      if (random(4) === 0) add(history, 'accepted')
      add(history, 'sold')
      if (history.reversal === 'before payment') add(history, 'returned')
    } else {
      if (random(10) === 0) add(history, 'sold')
      if (history.reversal === 'after payment') add(history, 'returned')
    }
  }
  for (let i = reports.length - 1; i > 0; i -= 1) {
    const j = random(i + 1)
    const [a, b] = [reports[i], reports[j]]
    if (a !== undefined && b !== undefined) [reports[i], reports[j]] = [b, a]
  }
  return reports
}
