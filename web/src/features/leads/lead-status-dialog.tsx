import { maxText } from '@karvon/contract/lib/limits.ts'
import { setLeadStatus } from '@karvon/contract/leads/leads.ts'
import type { Named } from '@karvon/contract/lib/field.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import type { SubmitResult } from '../../components/form/submit.ts'
import { FormWithDraft } from '../../components/form/form-with-draft.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { getErrorMessage, send } from '../../lib/http.ts'
import { resourceOptions, useOptions, type OptionSource } from '../../resources/reference-options.ts'
import { stateDialogTexts as texts } from './lead-status-dialog.texts.ts'

type LeadStatusDialogProps = {
  opened: boolean
  /** The leads to change. */
  ids: readonly string[]
  onClose: () => void
  /** Called after the server has changed the leads. */
  onChanged: () => Promise<void>
}

/** Overrides the status of the selected leads, after a confirmation with their number. */
export function LeadStatusDialog(props: LeadStatusDialogProps) {
  return (
    <Modal opened={props.opened} title={texts.title({ count: props.ids.length })} onClose={props.onClose}>
      <LeadStatusForm {...props} />
    </Modal>
  )
}

// The server refuses an inactive status.
const activeStatuses = resourceOptions('statuses', { is_active: 'true' })

/**
 * The active statuses. A lead may get one of any type, also of a type that is in no report. So each has the name of its type
 * where this is another.
 */
const statusOptions: OptionSource = {
  ...activeStatuses,
  key: [...activeStatuses.key, 'with type'],
  search: async (...query) => {
    const list = await activeStatuses.search(...query)
    return { ...list, items: list.items.map(appendType) }
  },
}

function appendType(status: Received<Named> & { type?: Received<Named> | null }): Received<Named> {
  const { name, type } = status
  if (!name || !type?.name || type.name === name) return status
  return { ...status, name: texts.ofType({ status: name, type: type.name }) }
}

function LeadStatusForm({ ids, onClose, onChanged }: LeadStatusDialogProps) {
  const { options, onSearch } = useOptions(statusOptions)
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
    { name: 'comment', label: texts.comment, kind: 'textarea', maxLength: maxText, hint: texts.hint },
  ]

  const submit = async (values: FormValues): Promise<SubmitResult> => {
    const id = readFieldText(values.status_id)
    const name = options.find(({ value }) => value === id)?.label ?? `#${id}`
    const isConfirmed = await dialogs.confirm(texts.confirm({ count: ids.length, status: name }), {
      confirmLabel: texts.submit,
    })
    if (!isConfirmed) return { ok: false, message: texts.declined }
    try {
      const body = {
        ids: ids.map(Number),
        status_id: Number(id),
        comment: readFieldText(values.comment) || null,
      }
      const { changed } = await send(setLeadStatus, { body })
      await onChanged()
      toasts.show({ title: texts.changed, text: formatResult(changed, ids.length - changed) })
      return { ok: true }
    } catch (failure) {
      return { ok: false, message: texts.failed, reason: getErrorMessage(failure) }
    }
  }
  return (
    <FormWithDraft
      fields={fields}
      draft={{ name: 'lead-status', target: ids.join() }}
      submitLabel={texts.submit}
      onSubmit={submit}
      onSuccess={onClose}
      onCancel={onClose}
    />
  )
}

const formatResult = (count: number, unchanged: number): string =>
  unchanged === 0 ? texts.allChanged({ count }) : texts.someChanged({ count, unchanged })
