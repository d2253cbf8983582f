import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { scheduleChannels, type ScheduleChannel } from '@karvon/contract/saved-views/saved-views.schedule.ts'
import { updateSavedView } from '@karvon/contract/saved-views/saved-views.ts'
import formClasses from '../../components/form/form.module.css'
import type { SubmitResult } from '../../components/form/submit.ts'
import { FormWithDraft } from '../../components/form/form-with-draft.tsx'
import type { FormErrors, FormValues } from '../../components/form/form.rules.ts'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { Modal } from '../../components/overlay/modal.tsx'
import { send } from '../../lib/http.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { isAnnounced, useSettings } from '../../lib/settings.store.ts'
import {
  createScheduleFields,
  getScheduleValues,
  readChannel,
  readScheduleBody,
} from './view-schedule.fields.ts'
import { ReceiverHint } from './view-schedule.hint.tsx'
import { useCurrentView, useToastAndReload } from './view-schedule.query.ts'
import { ScheduleState } from './view-schedule.state.tsx'
import { getScheduleTexts, type ScheduleTexts } from './panel-texts.ts'

type ViewScheduleProps = { view: SavedView; opened: boolean; isRussian: boolean; onClose: () => void }

/** The schedule of an own view: the state of its messages, and its form, which stays open after a save. */
export function ViewSchedule({ view, opened, isRussian, onClose }: ViewScheduleProps) {
  const texts = getScheduleTexts(isRussian)
  return (
    <Modal opened={opened} title={texts.title({ name: view.name })} onClose={onClose}>
      <ScheduleForm key={view.id} opened={view} texts={texts} onClose={onClose} />
    </Modal>
  )
}

const features = { telegram: 'telegram', mail: 'view_mails' } as const

function useChannels(): ScheduleChannel[] {
  const settings = useSettings()
  return scheduleChannels.filter((channel) => isAnnounced(features[channel], settings))
}

type ScheduleFormProps = { opened: SavedView; texts: ScheduleTexts; onClose: () => void }

function ScheduleForm({ opened, texts, onClose }: ScheduleFormProps) {
  const view = useCurrentView(opened)
  const showDone = useToastAndReload()
  const { time_zone: zone } = useSettings()
  const channels = useChannels()
  const admin = isAdmin(useSession())
  const { schedule } = view
  // A former admin can still end it.
  const hasRoles = schedule?.includes_roles === true || (admin && view.shared_role_ids.length > 0)
  return (
    <div className={formClasses.form}>
      {schedule !== null && (
        <ScheduleState id={view.id} schedule={schedule} texts={texts} onRemoved={onClose} />
      )}
      <FormWithDraft
        draft={{ name: 'view-schedule', target: view.id }}
        fields={createScheduleFields({ channels, zone, hasRoles, texts })}
        initialValues={getScheduleValues(opened.schedule, channels)}
        submitLabel={texts.save}
        onSubmit={(values) => save(view, values)}
        onSuccess={() => void showDone(texts.saved)}
      >
        {(values) => <ReceiverHint channel={readChannel(values)} texts={texts} />}
      </FormWithDraft>
    </div>
  )
}

/** The server names a field of the schedule as `schedule.time`. An error of the whole schedule is the message of the answer. */
async function save({ id }: SavedView, values: FormValues): Promise<SubmitResult> {
  const result = await submitWithFieldErrors(async () => {
    await send(updateSavedView, { params: { id }, body: { schedule: readScheduleBody(values) } })
  })
  if (result.ok) return result
  const errors = Object.entries(result.errors ?? {}).flatMap(([field, message]) =>
    field === 'schedule' ? [] : [[field.replace(/^schedule\./, ''), message]],
  )
  return { ...result, errors: Object.fromEntries(errors) as FormErrors }
}
