import { retryUpload, type Upload } from '@karvon/contract/uploads/uploads.ts'
import { TwoLines } from '../../components/display/layout.tsx'
import { formatBytes } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { createQueueColumns } from '../../resources/queue.columns.tsx'
import { RetryQueuedButton } from '../../resources/retry-queued-button.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { DownloadButton } from './download-button.tsx'
import classes from './uploads.module.css'
import { queueTexts as texts } from './uploads.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The columns of the queue. Times are in the time zone `zone`. */
export function createUploadColumns(zone: string): Column<Upload>[] {
  const { columns } = texts
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
    ...createQueueColumns(zone, texts),
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
