import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { Button } from '../components/actions/button.tsx'
import { TrashIcon } from '../components/actions/icons.tsx'
import { ErrorState } from '../components/display/empty-state.tsx'
import { FormModal } from '../components/form/form-modal.tsx'
import type { FormField, FormValues } from '../components/form/form.rules.ts'
import type { SubmitResult } from '../components/form/form.tsx'
import { useDialogs } from '../components/overlay/dialogs.tsx'
import { Modal } from '../components/overlay/modal.tsx'
import classes from '../lib/cells.module.css'
import { useChoices, type Choices } from './choices.ts'
import { HttpError, reasonOf } from '../lib/http.ts'
import { useReferences } from './references.ts'
import { resourceApi } from './resource.api.ts'
import { bodyOf, formFields, startOf, type AnyRow } from './resource-fields.ts'
import { resourceTexts as texts } from './resource.texts.ts'
import { useSettings } from '../lib/settings.store.ts'

export interface FormOverrides<Row> {
  /** Fields that the form does not show; an edit sends them as they were. */
  readonly hidden?: readonly string[]
  /** Start values that a row holds under another name. */
  readonly initial?: (row: ReceivedRow<Row>) => FormValues
  /** What single fields have beyond their declaration, by the field's key. */
  readonly fields?: Readonly<Record<string, Partial<FormField>>>
  /** Fields of text that hold one of the values that the server lists. */
  readonly choices?: Choices
  /** More actions on the row, beside Delete; `values` are those of the form, saved or not. */
  readonly actions?: (row: ReceivedRow<Row>, close: () => void, values: FormValues) => ReactNode
  /** What stands in place of the form for a row that cannot be changed; nothing for one that can. */
  readonly view?: (row: ReceivedRow<Row>) => ReactNode
  /** The form's width in pixels. */
  readonly width?: number
}

export type ResourceFormProps<Row> = FormOverrides<Row> & {
  of: Resource<Row>
  /** 0 creates; null is closed. */
  id: number | null
  onClose: () => void
}

/** The form of a resource in a modal, for create (id 0) or edit. */
export function ResourceForm<Row>(props: ResourceFormProps<Row>) {
  const { of, id, onClose, hidden, initial, actions, view } = props
  const { one } = of.noun
  const api = resourceApi(of)
  const client = useQueryClient()
  const dialogs = useDialogs()
  const { concurrent_edits } = useSettings()
  const references = useReferences(of.fields)
  const choices = useChoices(of, props.choices)
  const editing = id !== null && id > 0
  // Fresh on every opening: the list may be older than somebody else's change.
  const {
    data: row,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['resource', of.name, 'row', id],
    queryFn: ({ signal }) => api.get(id ?? 0, signal),
    enabled: editing,
    gcTime: 0,
  })
  // All but the opened row: its form must not start again while the message is read.
  const reload = () =>
    client.invalidateQueries({ queryKey: ['resource'], predicate: ({ queryKey }) => queryKey[2] !== 'row' })

  const start = { ...startOf(of, row), ...(row && initial?.(row)) }

  const submit = async (values: FormValues): Promise<SubmitResult> => {
    const kept = Object.entries((row as AnyRow | undefined) ?? {}).filter(([key]) => hidden?.includes(key))
    const asRead = concurrent_edits && editing && { updated_at: (row as AnyRow | undefined)?.updated_at }
    const wired = bodyOf(of, values, editing ? start : undefined, references.idOf)
    const body = { ...Object.fromEntries(kept), ...wired, ...asRead }
    try {
      await (editing ? api.update(id, body) : api.create(body))
      return { ok: true }
    } catch (failure) {
      return refusal(failure)
    }
  }

  const refusal = async (failure: unknown): Promise<SubmitResult> => {
    const known = failure instanceof HttpError ? failure.errors : []
    const errors = Object.fromEntries(known.map(({ field, message }) => [field, message]))
    if (known.some(({ field }) => field === 'updated_at')) {
      const action = { label: texts.loadPresent, run: () => void refetch() }
      return { ok: false, message: texts.changed(one), reason: texts.replaces, action }
    }
    const said = reasonOf(failure)
    // Where it already stands at its field, once is enough.
    const reason = known.some(({ message }) => message === said) ? undefined : said
    if (of.quirks.saveFailure === 'thrown') {
      // A refusal without a word of its own.
      const silent = failure instanceof HttpError && failure.status > 0 && failure.detail === undefined
      return { ok: false, message: (!silent && said) || texts.failed, errors }
    }
    if (of.quirks.saveFailure === 'alert') {
      await dialogs.alert(texts.saveFailed(one))
      return { ok: false, message: said, errors }
    }
    return { ok: false, message: texts.saveFailed(one), reason, errors }
  }

  const remove = async () => {
    const sure = await dialogs.confirm(texts.confirmRemove(one), { danger: true, confirmLabel: texts.remove })
    if (!sure || !editing) return
    try {
      await api.remove?.(id)
      onClose()
      await reload()
    } catch (failure) {
      await dialogs.alert(texts.removeFailed(one), reasonOf(failure))
    }
  }

  const fields = formFields(of, references, row as AnyRow | undefined, hidden).map((field) => ({
    ...field,
    ...props.fields?.[field.name],
    ...(choices.has(field.name) && { kind: 'select' as const, options: choices.get(field.name) }),
  }))
  const title = editing ? texts.edit(one) : texts.create(one)
  if (editing && error && !isFetching) {
    return (
      <Modal opened title={title} onClose={onClose}>
        <ErrorState
          failure={{ message: reasonOf(error) || texts.rowFailed(one) }}
          onRetry={() => void refetch()}
        />
      </Modal>
    )
  }
  return (
    <FormModal
      opened={id !== null}
      title={title}
      loading={editing && (row === undefined || isFetching)}
      fields={fields}
      initialValues={start}
      savedText={texts.saved(one)}
      onSubmit={submit}
      onSaved={() => void reload()}
      onClose={onClose}
      width={props.width}
      instead={row && view?.(row)}
    >
      {(values) =>
        row !== undefined && (
          <div className={classes.actions}>
            {actions?.(row, onClose, values)}
            {api.remove && (
              <Button tone="ghost" icon={<TrashIcon size={17} />} onClick={() => void remove()}>
                {texts.remove}
              </Button>
            )}
          </div>
        )
      }
    </FormModal>
  )
}
