import { useMemo } from 'react'
import { listSessions, type ActiveSession } from '@karvon/contract/sessions/sessions.ts'
import { Badge } from '../../components/display/badge.tsx'
import { Toolbar, TwoLines } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import type { Column } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ReferenceFilter } from '../../resources/list-filters.tsx'
import { useList, buildListQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { formatUserAgent } from '../../lib/format/user-agent.format.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { resourceOptions } from '../../resources/reference-options.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { useTableState } from '../../lib/table-state.ts'
import classes from './sessions.module.css'
import { EndButtons } from './end-buttons.tsx'
import { sessionsTexts as texts } from './sessions.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const tableSpec = { pageSize: 20, filters: ['user_id'] }
const userOptions = resourceOptions('users')

function createColumns(zone: string): Column<ActiveSession>[] {
  const { columns } = texts
  const createTimeColumn = (key: 'last_used_at' | 'created_at' | 'expires_at'): Column<ActiveSession> => ({
    key,
    header: columns[key],
    cell: (row) => {
      const [date, time] = formatDateTime(row[key], zone).split(' ')
      return <TwoLines first={date} second={time} />
    },
    sortable: true,
    nowrap: true,
    phone: 'line',
  })
  return [
    {
      key: 'user',
      header: columns.user,
      cell: (row) => <TwoLines first={<TruncatedText text={row.user.name} />} second={row.username} />,
    },
    {
      key: 'current',
      header: columns.current,
      cell: (row) => row.current && <Badge tone="ok">{texts.current}</Badge>,
      nowrap: true,
      phone: 'right',
    },
    {
      key: 'device',
      header: columns.device,
      cell: (row) =>
        row.user_agent === null ? (
          texts.unknownDevice
        ) : (
          <TruncatedText text={formatUserAgent(row.user_agent)} title={row.user_agent} />
        ),
      phone: 'line',
    },
    {
      key: 'address',
      header: columns.address,
      cell: (row) => (
        <span className={classes.address}>
          <TruncatedText text={row.address ?? texts.unknownAddress} />
        </span>
      ),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    createTimeColumn('last_used_at'),
    createTimeColumn('created_at'),
    createTimeColumn('expires_at'),
    {
      key: 'actions',
      header: columns.actions,
      cell: (row) => <EndButtons session={row} />,
      nowrap: true,
      phone: 'line',
    },
  ]
}

/** All sessions: people, devices and addresses, with buttons that end them. */
export function SessionsPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone } = useSettings()
  const query = useList<ActiveSession>({
    key: [...queryKeys.sessions, 'list'],
    call: listSessions,
    state: table.state,
    isLive: true,
  })
  const columns = useMemo(() => createColumns(zone), [zone])
  return (
    <>
      <Toolbar
        actions={<ExportMenu call={listSessions} query={buildListQuery(table.state)} name="sessions" />}
      >
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <ReferenceFilter table={table} name="user_id" optionSource={userOptions} {...texts.filters.user} />
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
