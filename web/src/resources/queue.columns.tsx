import { StatusBadge, type Tone } from '../components/display/badge.tsx'
import { TwoLines } from '../components/display/layout.tsx'
import type { Column } from '../components/table/column.ts'
import { TruncatedText } from '../components/truncated-text.tsx'
import { missingValue } from '../lib/format/missing.ts'
import classes from './queue.module.css'
import { createTimeColumn } from './time-column.ts'

interface QueueRow {
  status: string
  attempts: number
  next_at: string | null
  last_error: string | null
  unsure: boolean
}

interface QueueTexts {
  columns: { status: string; attempts: string; next_at: string; last_error: string }
  statuses: Readonly<Record<string, string>>
  unsure: string
}

const tones: Readonly<Record<string, Tone>> = { scanning: 'wait', queued: 'wait', sent: 'ok', refused: 'bad' }

/** The columns of a row in a queue to Telegram: its status and its attempts. Times are in the time zone `zone`. */
export function createQueueColumns(zone: string, texts: QueueTexts): Column<QueueRow>[] {
  const { columns } = texts
  return [
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <QueueStatus row={row} texts={texts} />,
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
    { ...createTimeColumn('next_at', columns.next_at, zone), phone: 'line' },
    {
      key: 'last_error',
      header: columns.last_error,
      cell: (row) => (row.last_error === null ? missingValue : <TruncatedText text={row.last_error} />),
      phone: 'line',
    },
  ]
}

function QueueStatus({ row, texts }: { row: QueueRow; texts: QueueTexts }) {
  const badge = <StatusBadge status={row.status} tones={tones} names={texts.statuses} />
  if (!row.unsure) return badge
  const unsure = (
    <span className={classes.unsure}>
      <TruncatedText text={texts.unsure} />
    </span>
  )
  return <TwoLines first={badge} second={unsure} />
}
