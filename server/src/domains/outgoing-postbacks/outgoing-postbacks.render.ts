import type { postbackMacros } from '@karvon/contract/postback-templates/postback-templates.ts'
import type { LeasedPostback } from './outgoing-postbacks.lease.queries.ts'

type Macro = (typeof postbackMacros)[number]

/** A template's URL with a lead's values in it, each encoded; a macro that nothing is known for is left empty. */
export function renderUrl(template: string, postback: LeasedPostback): string {
  const own: Record<Macro, string> = {
    status: postback.state ?? postback.word,
    word: postback.word,
    payout: String(postback.payout),
    currency: postback.currency,
    lead_id: postback.external_id,
    offer_id: String(postback.offer_id ?? ''),
    offer_name: postback.offer_name ?? '',
    stream_id: String(postback.stream_id ?? ''),
    date: postback.date,
    timestamp: String(postback.timestamp),
  }
  // Ours come second: no source's value stands in for them.
  const values = new Map(Object.entries({ ...postback.subs, ...own }))
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name.toLowerCase()) ?? ''),
  )
}
