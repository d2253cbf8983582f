import type { TextDimension } from '@karvon/contract/lib/lead-texts.ts'

/** SQL of the texts of the lead `l` by which Explore groups and the list filters; '' for none. */
export const leadTextColumns: Readonly<Record<TextDimension, string>> = {
  region: `coalesce(l.region, '')`,
  cancel_reason: `coalesce(l.cancel_reason, '')`,
  sub1: `coalesce(l.subs ->> 'sub1', '')`,
  sub2: `coalesce(l.subs ->> 'sub2', '')`,
  sub3: `coalesce(l.subs ->> 'sub3', '')`,
}

export const isTextDimension = (name: string): name is TextDimension => Object.hasOwn(leadTextColumns, name)
