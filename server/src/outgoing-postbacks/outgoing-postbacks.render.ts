import type { postbackMacros } from '@karvon/contract/postback-templates/postback-templates.ts'
import type { Due } from './outgoing-postbacks.due.ts'

type Macro = (typeof postbackMacros)[number]

/** A template's URL with a lead's values in it, each encoded; a macro that nothing is known for is left empty. */
export function renderUrl(template: string, due: Due): string {
  const own: Record<Macro, string> = {
    status: due.state ?? due.word,
    word: due.word,
    payout: String(due.payout),
    currency: due.currency,
    lead_id: due.external_id,
    offer_id: String(due.offer_id ?? ''),
    offer_name: due.offer_name ?? '',
    stream_id: String(due.stream_id ?? ''),
    date: due.date,
    timestamp: String(due.timestamp),
  }
  // Ours come second: no source's value stands in for them.
  const values = new Map(Object.entries({ ...due.subs, ...own }))
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name.toLowerCase()) ?? ''),
  )
}
