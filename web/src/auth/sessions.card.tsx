import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { endSessions, sessions, type Session } from '@karvon/contract/auth/auth.ts'
import { Button } from '../ui/actions/button.tsx'
import { Badge } from '../ui/display/badge.tsx'
import { TwoLines } from '../ui/display/layout.tsx'
import { useDialogs } from '../ui/overlay/dialogs.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { reasonOf, send } from '../kit/http.ts'
import { formatMoment } from '../kit/moment.format.ts'
import { clearSession } from '../kit/session.store.ts'
import { useSettings } from '../kit/settings.store.ts'
import { authTexts } from './auth.texts.ts'
import classes from './profile.module.css'

const texts = authTexts.profile

function columnsIn(zone: string): Column<Session>[] {
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
  ]
}

/** Where this person is signed in, and the way to end it all. */
export function SessionsCard() {
  const { time_zone: zone } = useSettings()
  const dialogs = useDialogs()
  const columns = useMemo(() => columnsIn(zone), [zone])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => send(sessions, { signal }),
  })

  const endAll = async () => {
    if (!(await dialogs.confirm(texts.confirmEnd, { danger: true, confirmLabel: texts.endAll }))) return
    try {
      await send(endSessions)
      clearSession()
    } catch (failure) {
      await dialogs.alert(texts.endFailed, reasonOf(failure))
    }
  }

  return (
    <section className={classes.wide} aria-label={texts.sessions}>
      <div className={classes.head}>
        <h2 className={classes.title}>{texts.sessions}</h2>
        <Button tone="danger" onClick={() => void endAll()}>
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
    </section>
  )
}
