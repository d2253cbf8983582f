import { missingValue } from '../../lib/format/missing.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import { parcelCodes, type Parcel, type ParcelCode } from '@karvon/contract/parcels/parcels.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { translateCourierStatus } from '../../lib/courier-status.ts'

const tones: Readonly<Record<ParcelCode, Tone>> = {
  DELIVERED: 'ok',
  IN_TRANSIT: 'info',
  PROCESSING: 'work',
  PENDING: 'wait',
  RETURNED: 'bad',
}

/** Other spellings of a code that a host may answer (specification, section 4). */
const aliases: ReadonlyMap<string, ParcelCode> = new Map([['TRANSIT', 'IN_TRANSIT']])

/** The colour of a code. A code that the contract does not have is neutral. */
function getTone(code: string): Tone {
  const knownCode = aliases.get(code) ?? parcelCodes.find((parcelCode) => parcelCode === code)
  return knownCode === undefined ? 'neutral' : tones[knownCode]
}

type ParcelStatusBadgeProps = {
  status: Received<Pick<Parcel['status'], 'code' | 'title'>> | null | undefined
}

/** A parcel's status as a badge, or a dash where it is missing. */
export function ParcelStatusBadge({ status }: ParcelStatusBadgeProps) {
  const label = translateCourierStatus(status?.title) || status?.code
  return label ? <Badge tone={getTone(status?.code ?? '')}>{label}</Badge> : missingValue
}
