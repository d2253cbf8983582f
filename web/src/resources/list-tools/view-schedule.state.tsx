import { sendSavedView, updateSavedView } from '@karvon/contract/saved-views/saved-views.ts'
import type { ViewSchedule } from '@karvon/contract/saved-views/saved-views.schedule.ts'
import { TrashIcon } from '../../components/actions/icons.tsx'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { Facts } from '../../components/display/timeline.tsx'
import classes from '../../lib/cells.module.css'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { HttpError, send } from '../../lib/http.ts'
import { describeHttpFailure } from '../../lib/http.texts.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { ActionButton } from '../action-button.tsx'
import { useErrorMessage } from '../error-message.ts'
import { useToastAndReload } from './view-schedule.query.ts'
import type { ScheduleTexts } from './panel-texts.ts'

type ScheduleStateProps = {
  /** The id of the view. */
  id: number
  schedule: ViewSchedule
  texts: ScheduleTexts
  onRemoved: () => void
}

/** When the next message is due, what became of the last one, and what sends and removes the stored schedule. */
export function ScheduleState({ id, schedule, texts, onRemoved }: ScheduleStateProps) {
  const showDone = useToastAndReload()
  const { time_zone: zone } = useSettings()
  const { next_at, last_message } = schedule
  return (
    <>
      <div role="status">
        <Facts
          facts={[
            { name: texts.next, value: next_at === null ? texts.noNext : formatDateTime(next_at, zone) },
            { name: texts.last, value: <LastMessage message={last_message} zone={zone} texts={texts} /> },
          ]}
        />
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
    </>
  )
}

const tones = { queued: 'wait', sent: 'ok', refused: 'bad' } satisfies Record<string, Tone>

type LastMessageProps = { message: ViewSchedule['last_message']; zone: string; texts: ScheduleTexts }

function LastMessage({ message, zone, texts }: LastMessageProps) {
  const getMessage = useErrorMessage()
  if (message === null) return texts.noMessage
  const { status, sent_at, due_at, reason } = message
  return (
    <>
      <Badge tone={tones[status]}>{texts.statuses[status]}</Badge> {formatDateTime(sent_at ?? due_at, zone)}
      {reason !== null && (
        <p>{getMessage(new HttpError(describeHttpFailure('unexpected'), { answer: reason }))}</p>
      )}
    </>
  )
}
