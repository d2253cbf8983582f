import type { Alert } from '@karvon/contract/alerts/inbox.ts'
import { Badge } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatAlert, formatRuleName } from './alert.format.ts'
import classes from './alerts.module.css'
import { alertTexts as texts } from './alerts.texts.ts'

/** Whether an alert is open, has ended, or is snoozed. One that ended without data has not recovered. */
export function AlertState({ alert: { ended_at, ended_without_data, snoozed_until } }: { alert: Alert }) {
  if (ended_at !== null && ended_without_data) return <Badge>{texts.states.noData}</Badge>
  if (ended_at !== null) return <Badge tone="ok">{texts.states.ended}</Badge>
  if (snoozed_until !== null) return <Badge tone="wait">{texts.states.snoozed}</Badge>
  return <Badge tone="bad">{texts.states.open}</Badge>
}

function AlertText({ alert }: { alert: Alert }) {
  const text = <TruncatedText text={formatAlert(alert)} isWide />
  const unreadText = (
    <b className={classes.unread}>
      {text}
      <span className="visually-hidden">, {texts.unread}</span>
    </b>
  )
  return <TwoLines first={alert.is_read ? text : unreadText} second={formatRuleName(alert.rule)} />
}

/** The columns of the inbox. Times are in the time zone `zone`. */
export function createAlertColumns(zone: string): Column<Alert>[] {
  const { columns } = texts
  return [
    { key: 'what', header: columns.what, cell: (alert) => <AlertText alert={alert} /> },
    {
      key: 'state',
      header: columns.state,
      cell: (alert) => <AlertState alert={alert} />,
      nowrap: true,
      phone: 'right',
    },
    {
      key: 'began_at',
      header: columns.began_at,
      cell: (alert) => formatDateTime(alert.began_at, zone),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'ended_at',
      header: columns.ended_at,
      cell: (alert) => (alert.ended_at === null ? texts.none : formatDateTime(alert.ended_at, zone)),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
  ]
}
