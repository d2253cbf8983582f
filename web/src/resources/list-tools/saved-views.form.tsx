import { type FormEvent, useRef, useState } from 'react'
import { maxViewName } from '@karvon/contract/lib/limits.ts'
import {
  chooseDefaultView,
  createSavedView,
  deleteSavedView,
  updateSavedView,
} from '@karvon/contract/saved-views/saved-views.ts'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { Button } from '../../components/actions/button.tsx'
import { isTooLong } from '../../components/fields/max-length.ts'
import { MultiSelect } from '../../components/fields/multi-select.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { useErrorMessage } from '../error-message.ts'
import { resourceOptions, useOptions } from '../reference-options.ts'
import type { panelTexts } from './list-tools.panel.texts.ts'
import type { ScreenViews } from './saved-views.query.ts'

/** What a person does with views. */
export type ViewTask = 'save' | 'update' | 'rename' | 'share' | 'default' | 'remove'
/** What needs an answer of the person first. */
export type ViewFormTask = Exclude<ViewTask, 'update' | 'default'>

type SavedViewFormProps = {
  task: ViewFormTask
  screen: ScreenViews
  texts: typeof panelTexts
  onBack: () => void
  onDone: () => void
}

/** Asks for what a task needs and does it. A failure stays in the panel, or is a toast when the panel was closed. */
export function SavedViewForm({ task, screen, texts, onBack, onDone }: SavedViewFormProps) {
  const reason = useErrorMessage()
  const toasts = useToasts()
  const form = useRef<HTMLFormElement>(null)
  const { current, address } = screen
  const [name, setName] = useState(task === 'rename' ? (current?.name ?? '') : '')
  const [roleIds, setRoleIds] = useState<readonly string[]>(current?.shared_role_ids.map(String) ?? [])
  const [error, setError] = useState<string | null>(null)
  const [isRunning, setIsRunning] = useState(false)

  const run = async () => {
    setIsRunning(true)
    try {
      const savedView = await runTask(task, { current, address: address ?? '', name, roleIds })
      await screen.reload()
      if (form.current) onDone()
      if (task === 'save' || task === 'remove') screen.open(savedView)
    } catch (failure) {
      if (form.current === null) toasts.show({ title: reason(failure), tone: 'danger' })
      setError(reason(failure))
      setIsRunning(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run()
  }
  const isNamed = task === 'save' || task === 'rename'
  const isIncomplete = isNamed && (name.trim() === '' || isTooLong(name.trim(), maxViewName))
  return (
    <form ref={form} onSubmit={submit}>
      {isNamed && (
        <TextField
          label={texts.name}
          value={name}
          maxLength={maxViewName}
          required
          error={error ?? undefined}
          onChange={setName}
        />
      )}
      {task === 'share' && <RoleChoice label={texts.share} value={roleIds} onChange={setRoleIds} />}
      {task === 'remove' && <p>{texts.confirmRemove({ name: current?.name ?? '' })}</p>}
      {!isNamed && error !== null && <p role="alert">{error}</p>}
      <Button onClick={onBack}>{texts.cancel}</Button>
      <Button
        type="submit"
        tone={task === 'remove' ? 'danger' : 'primary'}
        loading={isRunning}
        disabled={isIncomplete}
      >
        {task === 'remove' ? texts.remove : texts.save}
      </Button>
    </form>
  )
}

type RoleChoiceProps = {
  label: string
  value: readonly string[]
  onChange: (value: readonly string[]) => void
}

const roleOptions = resourceOptions('roles')

function RoleChoice({ label, value, onChange }: RoleChoiceProps) {
  const { options, onSearch } = useOptions(roleOptions)
  return <MultiSelect label={label} options={options} onSearch={onSearch} value={value} onChange={onChange} />
}

export interface TaskInput {
  current: SavedView | undefined
  address: string
  name?: string
  roleIds?: readonly string[]
}

/** Does a task and returns the view that is open then. */
export async function runTask(
  task: ViewTask,
  { current, address, name = '', roleIds = [] }: TaskInput,
): Promise<SavedView | undefined> {
  if (task === 'save') return send(createSavedView, { body: { name, address } })
  if (current === undefined) return undefined
  const params = { id: current.id }
  switch (task) {
    case 'remove': {
      await send(deleteSavedView, { params })
      return undefined
    }
    case 'default':
      return send(chooseDefaultView, { params, body: { is_default: !current.is_default } })
    case 'rename':
      return send(updateSavedView, { params, body: { name } })
    case 'share':
      return send(updateSavedView, { params, body: { shared_role_ids: roleIds.map(Number) } })
    case 'update':
      return send(updateSavedView, { params, body: { address } })
  }
}
