import { retryNotice, type Notice } from '@karvon/contract/notices/notices.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import type { Column } from '../../components/table/column.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { RetryQueuedButton } from '../../resources/retry-button.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import classes from './notices.module.css'
import { noticeTexts as texts } from './notices.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const tones: Readonly<Record<string, Tone>> = { queued: 'wait', sent: 'ok', refused: 'bad' }

/** The columns of the list. Times are in the time zone `zone`. */
export function createNoticeColumns(zone: string): Column<Notice>[] {
  const { columns, none } = texts
  return [
    {
      key: 'text',
      header: columns.text,
      cell: (row) => (
        <TwoLines
          first={<TruncatedText text={row.text} />}
          second={`${texts.kinds[row.kind] ?? row.kind} · ${row.user.name}`}
        />
      ),
    },
    {
      key: 'created_at',
      header: columns.created_at,
      cell: (row) => formatDateTime(row.created_at, zone),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <NoticeStatus notice={row} />,
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
    {
      key: 'next_at',
      header: columns.next_at,
      cell: (row) => (row.next_at === null ? none : formatDateTime(row.next_at, zone)),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'last_error',
      header: columns.last_error,
      cell: (row) => (row.last_error === null ? none : <TruncatedText text={row.last_error} />),
      phone: 'line',
    },
    {
      key: 'actions',
      header: columns.actions,
      cell: (row) =>
        row.status === 'sent' ? (
          none
        ) : (
          <RetryQueuedButton
            call={retryNotice}
            id={row.id}
            name={row.text}
            listKey={queryKeys.notices}
            texts={texts}
          />
        ),
      nowrap: true,
      phone: 'line',
    },
  ]
}

function NoticeStatus({ notice }: { notice: Notice }) {
  const badge = (
    <Badge tone={tones[notice.status] ?? 'neutral'}>{texts.statuses[notice.status] ?? notice.status}</Badge>
  )
  if (!notice.unsure) return badge
  const unsure = (
    <span className={classes.unsure}>
      <TruncatedText text={texts.unsure} />
    </span>
  )
  return <TwoLines first={badge} second={unsure} />
}
