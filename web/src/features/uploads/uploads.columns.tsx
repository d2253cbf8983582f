import { retryUpload, type Upload } from '@karvon/contract/uploads/uploads.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import { formatBytes } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { RetryButton } from '../../resources/retry-button.tsx'
import { Short } from '../../components/short.tsx'
import { DownloadButton } from './download-button.tsx'
import classes from './uploads.module.css'
import { queueTexts as texts } from './uploads.texts.ts'

const tones: Readonly<Record<string, Tone>> = { scanning: 'wait', queued: 'wait', sent: 'ok', refused: 'bad' }

/** The columns of the queue; times in the installation's `zone`. */
export function uploadColumns(zone: string): Column<Upload>[] {
  const { columns, none } = texts
  return [
    {
      key: 'name',
      header: columns.name,
      cell: (row) => <TwoLines first={<Short text={row.name} />} second={formatBytes(row.size)} />,
      sortable: true,
    },
    {
      key: 'created_at',
      header: columns.created_at,
      cell: (row) => <TwoLines first={formatMoment(row.created_at, zone)} second={row.user?.name} />,
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <Standing of={row} />,
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
      cell: (row) => (row.next_at === null ? none : formatMoment(row.next_at, zone)),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'last_error',
      header: columns.last_error,
      cell: (row) => (row.last_error === null ? none : <Short text={row.last_error} />),
      phone: 'line',
    },
    {
      key: 'actions',
      header: columns.actions,
      cell: (row) => {
        // A host from before files were removed does not give it.
        const removedAt = (row as Partial<Upload>).file_removed_at ?? null
        if (removedAt !== null) return texts.fileRemoved(formatMoment(removedAt, zone))
        return (
          <div className={classes.buttons}>
            {(row.status === 'queued' || row.status === 'refused') && (
              <RetryButton call={retryUpload} id={row.id} name={row.name} list="uploads" texts={texts} />
            )}
            <DownloadButton of={row} />
          </div>
        )
      },
      nowrap: true,
      phone: 'line',
    },
  ]
}

function Standing({ of }: { of: Upload }) {
  const badge = <Badge tone={tones[of.status] ?? 'neutral'}>{texts.statuses[of.status] ?? of.status}</Badge>
  if (!of.unsure) return badge
  const unsure = (
    <span className={classes.unsure}>
      <Short text={texts.unsure} />
    </span>
  )
  return <TwoLines first={badge} second={unsure} />
}
