import type { Named } from '@karvon/contract/lib/field.ts'
import { reportColumnNames } from '@karvon/contract/lib/report-columns.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { speak } from '../../lib/i18n/language.ts'
import { unmappedState } from './lead-state.texts.ts'

// As the statistics draw them: hold and recall wait, rejected and returned are lost.
const tones: Readonly<Record<string, Tone>> = {
  accepted: 'work',
  send: 'info',
  sold: 'ok',
  recall: 'wait',
  hold: 'wait',
  cancel: 'bad',
  returned: 'bad',
}

const stateNames = new Map<string, string>(Object.entries(speak(reportColumnNames)))

type LeadStateBadgeProps = {
  /** The report column that the state counts in; null for none. */
  column: string | null
  /** Its own name; without one the column's. */
  status?: Pick<Named, 'name'> | null
}

/** A lead's state; the colour is that of its report column. */
export function LeadStateBadge({ column, status }: LeadStateBadgeProps) {
  const said = status?.name ?? (column === null ? unmappedState : (stateNames.get(column) ?? column))
  return <Badge tone={tones[column ?? ''] ?? 'neutral'}>{said}</Badge>
}
