import type { Named } from '@karvon/contract/lib/field.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { leadStatusTexts } from './lead-status.texts.ts'

// The colours of the statistics: hold and recall wait, rejected and returned are lost.
const tones: Readonly<Record<string, Tone>> = {
  accepted: 'work',
  send: 'info',
  sold: 'ok',
  recall: 'wait',
  hold: 'wait',
  cancel: 'bad',
  returned: 'bad',
}

const columnNames = new Map<string, string>(Object.entries(leadStatusTexts))

type LeadStatusBadgeProps = {
  /** The report column that counts the status. Null for none. */
  column: string | null
  /** The status itself. Without it the badge shows the column's name. */
  status?: Pick<Named, 'name'> | null
}

/** The status of a lead. The report column gives the colour. */
export function LeadStatusBadge({ column, status }: LeadStatusBadgeProps) {
  const label = status?.name ?? columnNames.get(column ?? 'none') ?? column
  return <Badge tone={tones[column ?? ''] ?? 'neutral'}>{label}</Badge>
}
