import { useMemo } from 'react'
import { listSessions, type SignedIn } from '@karvon/contract/sessions/sessions.ts'
import { Badge } from '../../components/display/badge.tsx'
import { Toolbar, TwoLines } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import type { Column } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { NameFilter } from '../../resources/list-filters.tsx'
import { useList, wireQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { resourceNames } from '../../resources/names.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { Short } from '../../components/short.tsx'
import { useTableState } from '../../lib/table-state.ts'
import { EndButtons } from './end-buttons.tsx'
import { sessionsTexts as texts } from './sessions.texts.ts'

const spec = { pageSize: 20, filters: ['user_id'] }
const people = resourceNames('users')

function columnsIn(zone: string): Column<SignedIn>[] {
  const { columns } = texts
  const moment = (key: 'last_used_at' | 'created_at' | 'expires_at'): Column<SignedIn> => ({
    key,
    header: columns[key],
    cell: (row) => formatMoment(row[key], zone),
    sortable: true,
    nowrap: true,
    phone: 'line',
  })
  return [
    {
      key: 'user',
      header: columns.user,
      cell: (row) => <TwoLines first={<Short text={row.user.name} />} second={row.username} />,
    },
    {
      key: 'current',
      header: columns.current,
      cell: (row) => row.current && <Badge tone="ok">{texts.current}</Badge>,
      phone: 'right',
    },
    {
      key: 'device',
      header: columns.device,
      cell: (row) => <Short text={row.user_agent ?? texts.unknownDevice} />,
      phone: 'line',
    },
    {
      key: 'address',
      header: columns.address,
      cell: (row) => row.address ?? texts.unknownAddress,
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    moment('last_used_at'),
    moment('created_at'),
    moment('expires_at'),
    {
      key: 'actions',
      header: columns.actions,
      cell: (row) => <EndButtons of={row} />,
      nowrap: true,
      phone: 'line',
    },
  ]
}

/** Who is signed in, from where, and the way to end it. */
export function SessionsPage() {
  const table = useTableState(spec)
  const { time_zone: zone } = useSettings()
  const query = useList<SignedIn>(['signed-in', 'list'], listSessions, table.state, true)
  const columns = useMemo(() => columnsIn(zone), [zone])
  return (
    <>
      <Toolbar actions={<ExportMenu call={listSessions} query={wireQuery(table.state)} name="sessions" />}>
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <NameFilter table={table} name="user_id" names={people} {...texts.filters.user} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => row.username}
        lines={2}
        failedText={texts.loadFailed}
      />
    </>
  )
}
