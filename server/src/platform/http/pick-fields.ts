import { trimText } from '@karvon/contract/lib/trim-text.ts'

/** The fields of a body that `trimmed` and `kept` name. Texts of `trimmed` lose the spaces around them. */
export function pickFields(
  body: Readonly<Record<string, unknown>>,
  { trimmed, kept }: { trimmed: readonly string[]; kept: readonly string[] },
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const key of kept) if (Object.hasOwn(body, key)) fields[key] = body[key]
  for (const key of trimmed) {
    if (!Object.hasOwn(body, key)) continue
    const value = body[key]
    fields[key] = typeof value === 'string' ? trimText(value) : value
  }
  return fields
}
