import { missingValue } from '../../lib/format/missing.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { speakWord } from '../../lib/i18n/language.ts'

const tones: Readonly<Record<string, Tone>> = {
  DELIVERED: 'ok',
  IN_TRANSIT: 'info',
  TRANSIT: 'info',
  PROCESSING: 'work',
  PENDING: 'wait',
  RETURNED: 'bad',
}

type StatusBadgeProps = { status: Received<Pick<Parcel['status'], 'code' | 'title'>> | null | undefined }

/** A parcel's status; its colour follows the code, any other code has the default one. A dash where there is none. */
export function StatusBadge({ status }: StatusBadgeProps) {
  const said = speakWord(status?.title ?? '') || status?.code
  return said ? <Badge tone={tones[status?.code ?? ''] ?? 'neutral'}>{said}</Badge> : missingValue
}
