import type { ReactNode } from 'react'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { ErrorState } from '../components/display/empty-state.tsx'
import { FormModal } from '../components/form/form-modal.tsx'
import type { FormField, FormValues } from '../components/form/form.rules.ts'
import { Modal } from '../components/overlay/modal.tsx'
import classes from '../lib/cells.module.css'
import { DeleteRowButton } from './delete-row-button.tsx'
import { useFieldOptions, type FieldOptionLoaders } from './field-options.query.ts'
import { getErrorMessage } from '../lib/http.ts'
import { useReferenceOptions } from './reference-options.ts'
import type { AnyRow } from './resource-fields.ts'
import { buildFormFields, toFormValues } from './resource-form.fields.ts'
import { useResourceRow } from './resource-form.query.ts'
import { useSaveRow } from './resource-form.save.ts'
import { getNouns } from './resource.labels.ts'
import { resourceTexts as texts } from './resource.texts.ts'

export interface FormOverrides<Row> {
  /** Fields that the form does not show. An edit sends them unchanged. */
  readonly hidden?: readonly string[]
  /** Initial values that a row has under another name. */
  readonly initial?: (row: ReceivedRow<Row>) => FormValues
  /** Overrides of single form fields, by the field's key. */
  readonly fields?: Readonly<Record<string, Partial<FormField>>>
  /** Loaders for text fields whose values come from a list of the server. */
  readonly optionLoaders?: FieldOptionLoaders
  /** More actions on the row, beside Delete. `values` are the current values of the form. */
  readonly actions?: (row: ReceivedRow<Row>, close: () => void, values: FormValues) => ReactNode
  /** Content instead of the form, for a row that is read-only. Null for any other row. */
  readonly view?: (row: ReceivedRow<Row>) => ReactNode
  /** The form's width in pixels. */
  readonly width?: number
}

export type ResourceFormProps<Row> = FormOverrides<Row> & {
  resource: Resource<Row>
  /** The row to edit. 0 creates a row, null is closed. */
  id: number | null
  onClose: () => void
}

/** The form of a resource in a modal, for create (id 0) or edit. */
export function ResourceForm<Row>(props: ResourceFormProps<Row>) {
  const { resource, id, onClose, hidden, initial, actions, view } = props
  const nouns = getNouns(resource)
  const references = useReferenceOptions(resource.fields)
  const fieldOptions = useFieldOptions(resource, props.optionLoaders)
  const isEdit = id !== null && id > 0
  const { row, error, isFetching, reloadRow, reloadLists } = useResourceRow(resource, id)
  const rowValues: AnyRow | undefined = row
  const startValues = { ...toFormValues(resource, row), ...(row && initial?.(row)) }

  const save = useSaveRow(resource, id, {
    row: rowValues,
    hidden,
    startValues,
    findId: references.findId,
    reloadRow,
  })
  const fields = buildFormFields(resource, references, { row: rowValues, hidden }).map((field) => ({
    ...field,
    ...props.fields?.[field.name],
    ...(fieldOptions?.has(field.name) && { kind: 'select' as const, options: fieldOptions.get(field.name) }),
  }))
  const title = isEdit ? texts.edit(nouns) : texts.create(nouns)
  if (isEdit && error && !isFetching) {
    const message = getErrorMessage(error) || texts.rowFailed(nouns)
    return <FailedForm title={title} message={message} onRetry={reloadRow} onClose={onClose} />
  }
  return (
    <FormModal
      opened={id !== null}
      title={title}
      // A text field would become a select while the person types.
      loading={fieldOptions === undefined || (isEdit && (row === undefined || isFetching))}
      fields={fields}
      initialValues={startValues}
      draft={{ name: resource.name, target: id, version: rowValues?.updated_at }}
      savedText={texts.saved(nouns)}
      onSubmit={save}
      onSaved={() => void reloadLists()}
      onClose={onClose}
      width={props.width}
      replacement={row && view?.(row)}
    >
      {(values) =>
        row !== undefined && (
          <div className={classes.actions}>
            {actions?.(row, onClose, values)}
            <DeleteRowButton
              resource={resource}
              id={id ?? 0}
              onDeleted={async () => {
                onClose()
                await reloadLists()
              }}
            />
          </div>
        )
      }
    </FormModal>
  )
}

type FailedFormProps = { title: string; message: string; onRetry: () => void; onClose: () => void }

function FailedForm({ title, message, onRetry, onClose }: FailedFormProps) {
  return (
    <Modal opened title={title} onClose={onClose}>
      <ErrorState failure={{ message }} onRetry={onRetry} />
    </Modal>
  )
}
