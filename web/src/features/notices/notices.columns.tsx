import { retryNotice, type Notice } from '@karvon/contract/notices/notices.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import type { Column } from '../../components/table/column.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { RetryButton } from '../../resources/retry-button.tsx'
import { Short } from '../../components/short.tsx'
import classes from './notices.module.css'
import { noticeTexts as texts } from './notices.texts.ts'

const tones: Readonly<Record<string, Tone>> = { queued: 'wait', sent: 'ok', refused: 'bad' }

/** The columns of the list; times in the installation's `zone`. */
export function noticeColumns(zone: string): Column<Notice>[] {
  const { columns, none } = texts
  return [
    {
      key: 'text',
      header: columns.text,
      cell: (row) => (
        <TwoLines
          first={<Short text={row.text} />}
          second={`${texts.kinds[row.kind] ?? row.kind} · ${row.user.name}`}
        />
      ),
    },
    {
      key: 'created_at',
      header: columns.created_at,
      cell: (row) => formatMoment(row.created_at, zone),
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
      cell: (row) =>
        row.status === 'sent' ? (
          none
        ) : (
          <RetryButton call={retryNotice} id={row.id} name={row.text} list="notices" texts={texts} />
        ),
      nowrap: true,
      phone: 'line',
    },
  ]
}

function Standing({ of }: { of: Notice }) {
  const badge = <Badge tone={tones[of.status] ?? 'neutral'}>{texts.statuses[of.status] ?? of.status}</Badge>
  if (!of.unsure) return badge
  const unsure = (
    <span className={classes.unsure}>
      <Short text={texts.unsure} />
    </span>
  )
  return <TwoLines first={badge} second={unsure} />
}
