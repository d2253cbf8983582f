import { parcelTexts as texts } from './parcels.texts.ts'

/** The chips' counts as `meta.status_counts` gives them; undefined where a host does not count. */
export function readCounts(meta: Readonly<Record<string, unknown>> | undefined) {
  const counts = meta?.status_counts
  if (typeof counts !== 'object' || counts === null) return undefined
  const given = Object.entries(counts).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return new Map(given)
}

/** The status chips: all, then each code with its count. */
export function statusChips(counts: ReadonlyMap<string, number>) {
  const sum = [...counts.values()].reduce((all, count) => all + count, 0)
  const codes = Object.entries(texts.codes)
  return [
    { value: '', label: texts.all, count: sum },
    ...codes.map(([value, label]) => ({ value, label, count: counts.get(value) ?? 0 })),
  ]
}
