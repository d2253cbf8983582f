import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import { Badge, type Tone } from '../ui/display/badge.tsx'
import { speakWord } from '../ui/language/language.ts'

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
  return <Badge tone={tones[status.code] ?? 'neutral'}>{speakWord(status.title) || status.code}</Badge>
}
