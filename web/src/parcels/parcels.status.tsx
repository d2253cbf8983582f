import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import { Badge, type Tone } from '../ui/display/badge.tsx'
import { parcelTexts as texts } from './parcels.texts.ts'

const tones: Readonly<Record<string, Tone>> = {
  DELIVERED: 'ok',
  IN_TRANSIT: 'info',
  TRANSIT: 'info',
  PROCESSING: 'work',
  PENDING: 'wait',
  RETURNED: 'bad',
}

/** A parcel's status; its colour follows the code, any other code has the default one. */
export function StatusBadge({ status }: { status: Pick<Parcel['status'], 'code' | 'title'> }) {
  return <Badge tone={tones[status.code] ?? 'neutral'}>{status.title || status.code}</Badge>
}

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
