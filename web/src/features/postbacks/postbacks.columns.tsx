import { missingValue } from '../../lib/format/missing.ts'
import { Link } from '@tanstack/react-router'
import { isReplayable, type Postback, type PostbackOutcome } from '@karvon/contract/postbacks/postbacks.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { postbackTexts as texts } from './postbacks.texts.ts'
import { ReplayButton } from './replay-button.tsx'
import { createTimeColumn } from '../../resources/time-column.ts'

const tones: Readonly<Record<PostbackOutcome, Tone>> = {
  created: 'ok',
  updated: 'info',
  unchanged: 'neutral',
  refused: 'bad',
}

export function OutcomeBadge({ outcome }: { outcome: PostbackOutcome }) {
  return <Badge tone={tones[outcome]}>{texts.outcomes[outcome]}</Badge>
}

export const formatReason = ({ reason }: Postback): string =>
  reason === null ? missingValue : texts.reasons[reason]

export function LeadIdLink({ id }: { id: number }) {
  return (
    <Link to="/leads" search={{ id: String(id) }}>
      {texts.lead}
    </Link>
  )
}

/** The columns of the log. Times are in the time zone `zone`. */
export function createPostbackColumns(zone: string): Column<Postback>[] {
  const { columns } = texts
  return [
    createTimeColumn('at', columns.at, zone),
    { key: 'source', header: columns.source, cell: (row) => row.source?.name ?? missingValue, phone: 'line' },
    {
      key: 'external_id',
      header: columns.external_id,
      cell: (row) => (row.external_id === null ? missingValue : <TruncatedText text={row.external_id} />),
      phone: 'line',
    },
    {
      key: 'source_status',
      header: columns.sourceStatus,
      cell: (row) => row.source_status ?? missingValue,
      phone: 'line',
    },
    {
      key: 'outcome',
      header: columns.outcome,
      cell: (row) => <OutcomeBadge outcome={row.outcome} />,
      nowrap: true,
      phone: 'line',
    },
    { key: 'reason', header: columns.reason, cell: formatReason, phone: 'line' },
    {
      key: 'lead',
      header: columns.lead,
      cell: (row) => (row.lead_id === null ? missingValue : <LeadIdLink id={row.lead_id} />),
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'replay',
      header: columns.replay,
      cell: (row) => (isReplayable(row.reason) ? <ReplayButton postback={row} inRow /> : missingValue),
      nowrap: true,
      phone: 'line',
    },
  ]
}
