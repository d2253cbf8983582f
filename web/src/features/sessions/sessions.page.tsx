import { listSessions, type ActiveSession } from '@karvon/contract/sessions/sessions.ts'
import { Badge } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatUserAgent } from '../../lib/format/user-agent.format.ts'
import { getRefetchInterval } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { EndButtons } from './end-buttons.tsx'
import classes from './sessions.module.css'
import { sessionsTexts as texts } from './sessions.texts.ts'

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
export const SessionsPage = logPage({
  call: listSessions,
  key: queryKeys.sessions,
  name: 'sessions',
  pageSize: 20,
  texts,
  filters: [{ name: 'user_id', optionSource: resourceOptions('users'), ...texts.filters.user }],
  createColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: (row) => row.username,
  lines: 2,
  refetchInterval: getRefetchInterval,
})
