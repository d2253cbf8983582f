import { missingValue } from '../../lib/format/missing.ts'
import { Link } from '@tanstack/react-router'
import type { OutgoingPostback } from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { StatusBadge, type Tone } from '../../components/display/badge.tsx'
import type { Column } from '../../components/table/column.ts'
import { LeadStatusBadge } from '../leads/lead-status.tsx'
import { UrlText } from '../../resources/resource-columns.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'
import { canRetry, RetryPostbackButton } from './retry-button.tsx'
import { createTimeColumn } from '../../resources/time-column.ts'

const tones: Readonly<Record<string, Tone>> = { queued: 'wait', sent: 'ok', same: 'neutral', refused: 'bad' }

export function OutgoingStatusBadge({ status }: { status: string }) {
  return <StatusBadge status={status} tones={tones} names={texts.statuses} />
}

export function LeadNameLink({ lead }: { lead: OutgoingPostback['lead'] }) {
  return (
    <Link to="/leads" search={{ id: String(lead.id) }}>
      <TruncatedText text={lead.external_id} />
    </Link>
  )
}

const formatAnswer = ({ answer, last_error }: OutgoingPostback): string =>
  last_error ?? (answer === null ? missingValue : texts.answered({ status: answer }))

/** The columns of the log. Times are in the time zone `zone`. */
export function createOutgoingColumns(zone: string): Column<OutgoingPostback>[] {
  const { columns } = texts
  return [
    createTimeColumn('created_at', columns.created_at, zone),
    {
      key: 'template',
      header: columns.template,
      cell: (row) => row.template?.name ?? missingValue,
      phone: 'line',
    },
    { key: 'lead', header: columns.lead, cell: (row) => <LeadNameLink lead={row.lead} />, phone: 'line' },
    {
      key: 'state',
      header: columns.state,
      cell: (row) => (row.state === null ? texts.noState : <LeadStatusBadge column={row.state} />),
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'url',
      header: columns.url,
      cell: (row) => (row.url === null ? missingValue : <UrlText url={row.url} />),
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <OutgoingStatusBadge status={row.status} />,
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'attempts',
      header: columns.attempts,
      cell: (row) => row.attempts,
      align: 'end',
      sortable: true,
      phone: 'line',
    },
    { key: 'answer', header: columns.answer, cell: formatAnswer, phone: 'line' },
    {
      key: 'retry',
      header: columns.retry,
      cell: (row) => (canRetry(row) ? <RetryPostbackButton postback={row} inRow /> : missingValue),
      nowrap: true,
      phone: 'line',
    },
  ]
}
