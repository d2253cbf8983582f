import { useEffect, useEffectEvent } from 'react'
import { Link } from '@tanstack/react-router'
import {
  alertSnoozes,
  readInbox,
  snoozeAlert,
  type Alert,
  type AlertSnooze,
} from '@karvon/contract/alerts/inbox.ts'
import { muteAlertRule } from '@karvon/contract/alerts/rules.ts'
import { Menu } from '../../components/actions/menu.tsx'
import { Facts } from '../../components/display/timeline.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { formatDateTime, getToday } from '../../lib/format/date-time.format.ts'
import { getErrorMessage, send } from '../../lib/http.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { findFigure, formatAlert, formatRuleName } from './alert.format.ts'
import { AlertState } from './alerts.columns.tsx'
import classes from './alerts.module.css'
import { alertTexts as texts } from './alerts.texts.ts'
import { useAlertsReload } from './alerts.query.ts'

/** Changes values of the alert with the id. */
type AlertChange = (change: Pick<Alert, 'id'> & Partial<Alert>) => void

type AlertDetailProps = { alert: Alert | null; onChange: AlertChange; onClose: () => void }

/** An alert with the link to its figure, its snooze and the mute of its rule. An alert that opens is read. */
export function AlertDetail({ alert, onChange, onClose }: AlertDetailProps) {
  const reload = useAlertsReload()
  const markRead = useEffectEvent((id: number) => {
    // Best effort: the alert stays unread until it opens again.
    void send(readInbox, { body: { ids: [id] } }).then(reload, () => undefined)
  })
  const unreadId = alert !== null && !alert.is_read ? alert.id : null
  useEffect(() => {
    if (unreadId !== null) markRead(unreadId)
  }, [unreadId])
  return (
    <Modal
      opened={alert !== null}
      title={alert ? formatRuleName(alert.rule) : ''}
      onClose={onClose}
      footer={
        alert && (
          <>
            <SnoozeMenu alert={alert} onChange={onChange} />
            <MuteButton alert={alert} onChange={onChange} />
          </>
        )
      }
    >
      {alert && <AlertFacts alert={alert} onClose={onClose} />}
    </Modal>
  )
}

function AlertFacts({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const { time_zone: zone } = useSettings()
  const admin = isAdmin(useSession())
  const { columns } = texts
  const figure = findFigure(alert, { day: getToday(zone, new Date(alert.began_at)), admin })
  const time = (value: string | null) => (value === null ? texts.none : formatDateTime(value, zone))
  return (
    <>
      <p>{formatAlert(alert)}</p>
      <Facts
        facts={[
          { name: columns.state, value: <AlertState alert={alert} /> },
          { name: columns.began_at, value: time(alert.began_at) },
          { name: columns.ended_at, value: time(alert.ended_at) },
          { name: columns.snoozed_until, value: time(alert.snoozed_until) },
        ]}
      />
      {figure && (
        <p className={classes.figure}>
          <Link to={figure.to} search={figure.search} onClick={onClose}>
            {texts.openFigure}
          </Link>
        </p>
      )}
    </>
  )
}

type ChangeProps = { alert: Alert; onChange: AlertChange }

function SnoozeMenu({ alert, onChange }: ChangeProps) {
  const dialogs = useDialogs()
  const toasts = useToasts()
  const reload = useAlertsReload()
  const snooze = async (until: AlertSnooze) => {
    try {
      const { snoozed_until } = await send(snoozeAlert, { params: { id: alert.id }, body: { until } })
      onChange({ id: alert.id, is_read: true, snoozed_until })
      toasts.show({ title: until === 'off' ? texts.snoozeEnded : texts.snoozed })
      await reload()
    } catch (error) {
      void dialogs.alert(texts.changeFailed, getErrorMessage(error))
    }
  }
  const choices = alertSnoozes.filter((choice) => choice !== 'off' || alert.snoozed_until !== null)
  return (
    <Menu
      label={texts.snooze}
      align="start"
      items={choices.map((choice) => ({ label: texts.snoozes[choice], onSelect: () => void snooze(choice) }))}
    />
  )
}

function MuteButton({ alert, onChange }: ChangeProps) {
  const toasts = useToasts()
  const reload = useAlertsReload()
  const { rule } = alert
  return (
    <ActionButton
      label={rule.muted ? texts.unmute : texts.mute}
      failureText={texts.changeFailed}
      run={() => send(muteAlertRule, { params: { id: rule.id }, body: { muted: !rule.muted } })}
      onSuccess={async ({ muted }) => {
        onChange({ id: alert.id, is_read: true, rule: { ...rule, muted } })
        toasts.show({ title: muted ? texts.muted : texts.unmuted })
        await reload()
      }}
    />
  )
}
