import { missingValue } from '../../lib/format/missing.ts'
import { retryNotice, type Notice } from '@karvon/contract/notices/notices.ts'
import { TwoLines } from '../../components/display/layout.tsx'
import type { Column } from '../../components/table/column.ts'
import { createQueueColumns } from '../../resources/queue.columns.tsx'
import { RetryQueuedButton } from '../../resources/retry-queued-button.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { noticeTexts as texts } from './notices.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

/** The columns of the list. Times are in the time zone `zone`. */
export function createNoticeColumns(zone: string): Column<Notice>[] {
  const { columns } = texts
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
    { ...createTimeColumn('created_at', columns.created_at, zone), phone: 'line' },
    ...createQueueColumns(zone, texts),
    {
      key: 'actions',
      header: columns.actions,
      cell: (row) =>
        row.status === 'sent' ? (
          missingValue
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
