import { parcelTexts as texts } from './parcels.texts.ts'

/** The counts of the chips in `meta.status_counts`. Undefined where a host does not count. */
export function readStatusCounts(meta: Readonly<Record<string, unknown>> | undefined) {
  const counts = meta?.status_counts
  if (typeof counts !== 'object' || counts === null) return undefined
  const entries = Object.entries(counts).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return new Map(entries)
}

/** The status chips: all parcels, then each code with its count. */
export function createStatusChips(counts: ReadonlyMap<string, number>) {
  const sum = [...counts.values()].reduce((total, count) => total + count, 0)
  const codes = Object.entries(texts.codes)
  return [
    { value: '', label: texts.all, count: sum },
    ...codes.map(([value, label]) => ({ value, label, count: counts.get(value) ?? 0 })),
  ]
}
