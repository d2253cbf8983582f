import { useMemo, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { endOwnSession, endSessions, sessions, type Session } from '@karvon/contract/auth/auth.ts'
import { maxPageSize } from '@karvon/contract/lib/limits.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import type { Column } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import cells from '../../lib/cells.module.css'
import { getErrorMessage, send } from '../../lib/http.ts'
import { formatUserAgent } from '../../lib/format/user-agent.format.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { LazyPasswordDialog } from '../../resources/password-dialog.lazy.tsx'
import { clearSession } from '../../lib/session.store.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { profileTexts as texts } from './profile.texts.ts'
import classes from './profile.module.css'
import { queryKeys } from '../../lib/query-keys.ts'

const getDeviceName = ({ user_agent }: Session): string =>
  user_agent === null ? texts.unknownDevice : formatUserAgent(user_agent)

function createColumns(zone: string, onEnd: (session: Session) => void): Column<Session>[] {
  return [
    {
      key: 'device',
      header: texts.device,
      cell: (row) => (
        <TwoLines
          first={
            <span className={classes.device} title={row.user_agent ?? ''}>
              {getDeviceName(row)}
            </span>
          }
          second={row.address ?? ' '}
        />
      ),
    },
    {
      key: 'current',
      header: texts.state,
      cell: (row) => row.current && <Badge tone="ok">{texts.thisSession}</Badge>,
      phone: 'right',
    },
    {
      key: 'last',
      header: texts.lastUsed,
      cell: (row) => formatDateTime(row.last_used_at, zone),
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'created',
      header: texts.signedIn,
      cell: (row) => formatDateTime(row.created_at, zone),
      nowrap: true,
      phone: 'hidden',
    },
    {
      key: 'actions',
      header: texts.actions,
      cell: (row) =>
        !row.current && (
          <Button className={cells.inRow} onClick={() => onEnd(row)}>
            {texts.end}
            <span className="visually-hidden"> {getDeviceName(row)}</span>
          </Button>
        ),
      nowrap: true,
      phone: 'line',
    },
  ]
}

/** The person's sessions, with buttons to end one or all. */
export function SessionsCard() {
  const { time_zone: zone } = useSettings()
  const client = useQueryClient()
  const toasts = useToasts()
  const [sessionToEnd, setSessionToEnd] = useState<Session | 'all' | null>(null)
  const columns = useMemo(() => createColumns(zone, setSessionToEnd), [zone])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: queryKeys.ownSessions,
    queryFn: ({ signal }) => send(sessions, { query: { limit: maxPageSize }, signal }),
  })

  const end = async (session: Session, body: { current_password: string }) => {
    await send(endOwnSession, { params: { id: session.id }, body })
    toasts.show({ title: texts.ended })
    await client.invalidateQueries({ queryKey: queryKeys.ownSessions })
  }
  const endAll = async (body: { current_password: string }) => {
    await send(endSessions, { body })
    clearSession()
  }

  return (
    <section className={classes.wide} aria-label={texts.sessions}>
      <div className={classes.head}>
        <h2 className={classes.title}>{texts.sessions}</h2>
        <Button tone="danger" onClick={() => setSessionToEnd('all')}>
          {texts.endAll}
        </Button>
      </div>
      <DataTable
        label={texts.sessions}
        columns={columns}
        rows={data?.items}
        rowKey={(row) => String(row.id)}
        lines={2}
        loading={isFetching}
        skeletonRows={2}
        error={error && { message: texts.sessionsFailed, reason: getErrorMessage(error) }}
        onRetry={() => void refetch()}
      />
      <LazyPasswordDialog
        prompt={
          sessionToEnd === 'all'
            ? { title: texts.endAll, text: texts.endAllReason, submitLabel: texts.endAll, onConfirm: endAll }
            : sessionToEnd && {
                title: texts.endSession,
                text: texts.endReason,
                submitLabel: texts.end,
                onConfirm: (proof) => end(sessionToEnd, proof),
              }
        }
        onClose={() => setSessionToEnd(null)}
      />
    </section>
  )
}
