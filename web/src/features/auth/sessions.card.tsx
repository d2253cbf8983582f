import { useMemo, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { endOwnSession, endSessions, sessions, type Session } from '@karvon/contract/auth/auth.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import type { Column } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import cells from '../../lib/cells.module.css'
import { reasonOf, send } from '../../lib/http.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { PasswordDialog } from '../../resources/password-dialog.tsx'
import { clearSession } from '../../lib/session.store.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { authTexts } from './auth.texts.ts'
import classes from './profile.module.css'

const texts = authTexts.profile

function columnsIn(zone: string, onEnd: (session: Session) => void): Column<Session>[] {
  return [
    {
      key: 'device',
      header: texts.device,
      cell: (row) => (
        <TwoLines
          first={
            <span className={classes.device} title={row.user_agent ?? ''}>
              {row.user_agent ?? texts.unknownDevice}
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
      cell: (row) => formatMoment(row.last_used_at, zone),
      nowrap: true,
    },
    {
      key: 'created',
      header: texts.signedIn,
      cell: (row) => formatMoment(row.created_at, zone),
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
            <span className="visually-hidden"> {row.user_agent ?? texts.unknownDevice}</span>
          </Button>
        ),
      nowrap: true,
      phone: 'line',
    },
  ]
}

/** Where this person is signed in, and the way to end one session or all. */
export function SessionsCard() {
  const { time_zone: zone } = useSettings()
  const client = useQueryClient()
  const toasts = useToasts()
  const [asked, setAsked] = useState<Session | 'all' | null>(null)
  const columns = useMemo(() => columnsIn(zone, setAsked), [zone])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => send(sessions, { signal }),
  })

  const end = async (session: Session, body: { current_password: string }) => {
    await send(endOwnSession, { params: { id: session.id }, body })
    toasts.show({ title: texts.ended })
    await client.invalidateQueries({ queryKey: ['sessions'] })
  }
  const endAll = async (body: { current_password: string }) => {
    await send(endSessions, { body })
    clearSession()
  }

  return (
    <section className={classes.wide} aria-label={texts.sessions}>
      <div className={classes.head}>
        <h2 className={classes.title}>{texts.sessions}</h2>
        <Button tone="danger" onClick={() => setAsked('all')}>
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
        error={error && !isFetching ? { message: texts.sessionsFailed, reason: reasonOf(error) } : null}
        onRetry={() => void refetch()}
      />
      <PasswordDialog
        asked={
          asked === 'all'
            ? { title: texts.endAll, words: texts.endAllReason, submitLabel: texts.endAll, work: endAll }
            : asked && {
                title: texts.endSession,
                words: texts.endReason,
                submitLabel: texts.end,
                work: (proof) => end(asked, proof),
              }
        }
        onClose={() => setAsked(null)}
      />
    </section>
  )
}
