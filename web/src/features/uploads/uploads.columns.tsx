import { retryUpload, type Upload } from '@karvon/contract/uploads/uploads.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import { formatBytes } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { RetryQueuedButton } from '../../resources/retry-button.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { DownloadButton } from './download-button.tsx'
import classes from './uploads.module.css'
import { queueTexts as texts } from './uploads.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const tones: Readonly<Record<string, Tone>> = { scanning: 'wait', queued: 'wait', sent: 'ok', refused: 'bad' }

/** The columns of the queue. Times are in the time zone `zone`. */
export function createUploadColumns(zone: string): Column<Upload>[] {
  const { columns, none } = texts
  return [
    {
      key: 'name',
      header: columns.name,
      cell: (row) => <TwoLines first={<TruncatedText text={row.name} />} second={formatBytes(row.size)} />,
      sortable: true,
    },
    {
      key: 'created_at',
      header: columns.created_at,
      cell: (row) => <TwoLines first={formatDateTime(row.created_at, zone)} second={row.user?.name} />,
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <UploadStatus uploadedFile={row} />,
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
      cell: (row) => {
        // An older host does not answer this field.
        const removedAt = (row as Partial<Upload>).file_removed_at ?? null
        if (removedAt !== null) return texts.fileRemoved({ at: formatDateTime(removedAt, zone) })
        return (
          <div className={classes.buttons}>
            {(row.status === 'queued' || row.status === 'refused') && (
              <RetryQueuedButton
                call={retryUpload}
                id={row.id}
                name={row.name}
                listKey={queryKeys.uploads}
                texts={texts}
              />
            )}
            <DownloadButton uploadedFile={row} />
          </div>
        )
      },
      nowrap: true,
      phone: 'line',
    },
  ]
}

function UploadStatus({ uploadedFile }: { uploadedFile: Upload }) {
  const badge = (
    <Badge tone={tones[uploadedFile.status] ?? 'neutral'}>
      {texts.statuses[uploadedFile.status] ?? uploadedFile.status}
    </Badge>
  )
  if (!uploadedFile.unsure) return badge
  const unsure = (
    <span className={classes.unsure}>
      <TruncatedText text={texts.unsure} />
    </span>
  )
  return <TwoLines first={badge} second={unsure} />
}
