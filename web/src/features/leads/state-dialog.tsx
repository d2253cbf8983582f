import { changeLeadStates } from '@karvon/contract/leads/leads.ts'
import type { FieldValue, FormField, FormValues } from '../../components/form/form.rules.ts'
import { Form, type SubmitResult } from '../../components/form/form.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { reasonOf, send } from '../../lib/http.ts'
import { resourceNames, useNames } from '../../resources/names.ts'
import { stateTexts as texts } from './leads.texts.ts'

type StateDialogProps = {
  opened: boolean
  /** The leads to change. */
  ids: readonly string[]
  onClose: () => void
  /** Once the server has changed them. */
  onChanged: () => Promise<void>
}

/** Brings selected leads into another state, after a question that says how many. */
export function StateDialog(props: StateDialogProps) {
  return (
    <Modal opened={props.opened} title={texts.title(props.ids.length)} onClose={props.onClose}>
      <StateForm {...props} />
    </Modal>
  )
}

const statuses = resourceNames('statuses')
const text = (value: FieldValue | undefined) => (typeof value === 'string' ? value.trim() : '')

function StateForm({ ids, onClose, onChanged }: StateDialogProps) {
  const { options, onSearch } = useNames(statuses)
  const dialogs = useDialogs()
  const toasts = useToasts()
  const fields: FormField[] = [
    {
      name: 'status_id',
      label: texts.status,
      kind: 'select',
      required: true,
      options,
      ...(onSearch && { onSearch }),
    },
    { name: 'comment', label: texts.comment, kind: 'textarea', maxLength: 2000, hint: texts.hint },
  ]

  const submit = async (values: FormValues): Promise<SubmitResult> => {
    const id = text(values.status_id)
    const name = options.find(({ value }) => value === id)?.label ?? `#${id}`
    const sure = await dialogs.confirm(texts.confirm(ids.length, name), { confirmLabel: texts.submit })
    if (!sure) return { ok: false, message: texts.declined }
    try {
      const body = { ids: ids.map(Number), status_id: Number(id), comment: text(values.comment) || null }
      const { changed } = await send(changeLeadStates, { body })
      await onChanged()
      toasts.show({ title: texts.changed, text: texts.result(changed, ids.length - changed) })
      return { ok: true }
    } catch (failure) {
      return { ok: false, message: texts.failed, reason: reasonOf(failure) }
    }
  }
  return (
    <Form
      fields={fields}
      submitLabel={texts.submit}
      onSubmit={submit}
      onSuccess={onClose}
      onCancel={onClose}
    />
  )
}
