import { sendSavedView, updateSavedView } from '@karvon/contract/saved-views/saved-views.ts'
import type { ViewSchedule } from '@karvon/contract/saved-views/saved-views.schedule.ts'
import { TrashIcon } from '../../components/actions/icons.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { send } from '../../lib/http.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { ActionButton } from '../action-button.tsx'
import { useDoneNotice } from './view-schedule.query.ts'
import { scheduleTexts as texts } from './view-schedule.texts.ts'
import classes from './view-schedule.module.css'

type ScheduleStateProps = {
  /** The id of the view. */
  id: number
  schedule: ViewSchedule
  onRemoved: () => void
}

/** When the next message is due, what became of the last one, and what sends and removes the stored schedule. */
export function ScheduleState({ id, schedule, onRemoved }: ScheduleStateProps) {
  const showDone = useDoneNotice()
  const { time_zone: zone } = useSettings()
  const { next_at, last_message } = schedule
  return (
    <div className={classes.state}>
      <div role="status">
        <dl>
          <dt>{texts.next}</dt>
          <dd>{next_at === null ? texts.noNext : formatDateTime(next_at, zone)}</dd>
          <dt>{texts.last}</dt>
          <dd data-status={last_message?.status}>{describeMessage(last_message, zone)}</dd>
        </dl>
      </div>
      <div className={classes.actions}>
        <ActionButton
          label={texts.sendNow}
          failureText={texts.sendFailed}
          run={() => send(sendSavedView, { params: { id }, body: {} })}
          onSuccess={() => showDone(texts.queued)}
        />
        <ActionButton
          tone="ghost"
          icon={<TrashIcon size={17} />}
          label={texts.remove}
          failureText={texts.removeFailed}
          run={() => send(updateSavedView, { params: { id }, body: { schedule: null } })}
          onSuccess={async () => {
            onRemoved()
            await showDone(texts.removed)
          }}
        />
      </div>
    </div>
  )
}

function describeMessage(message: ViewSchedule['last_message'], zone: string): string {
  if (message === null) return texts.statuses.none
  const time = formatDateTime(message.sent_at ?? message.due_at, zone)
  return message.status === 'refused'
    ? texts.statuses.refused({ time, reason: message.reason ?? '' })
    : texts.statuses[message.status]({ time })
}
