import { macroPattern, type postbackMacros } from '@karvon/contract/postback-templates/postback-templates.ts'
import type { LeasedPostback } from './outgoing-postbacks.lease.queries.ts'

type Macro = (typeof postbackMacros)[number]

/**
 * Replaces the macros in the URL of a template with the encoded values of a lead. A missing value is empty text, and so is
 * an unknown macro of an old template.
 */
export function renderUrl(template: string, postback: LeasedPostback): string {
  const macroValues: Record<Macro, string> = {
    status: postback.state ?? postback.source_status,
    source_status: postback.source_status,
    payout: String(postback.payout),
    currency: postback.currency,
    lead_id: postback.external_id,
    offer_id: String(postback.offer_id ?? ''),
    offer_name: postback.offer_name ?? '',
    stream_id: String(postback.stream_id ?? ''),
    date: postback.date,
    timestamp: String(postback.timestamp),
  }
  // Our values come last, so that a value of the source cannot replace them.
  const values = new Map(Object.entries({ ...postback.subs, ...macroValues }))
  return template.replaceAll(macroPattern, (_, name: string) =>
    encodeURIComponent(values.get(name.toLowerCase()) ?? ''),
  )
}
