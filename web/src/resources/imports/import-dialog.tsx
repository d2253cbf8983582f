import { useEffect, useMemo } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import type { FormField, FormValues } from '../../components/form/form.rules.ts'
import type { SubmitResult } from '../../components/form/submit.ts'
import { FormWithQuestion } from '../../components/form/form-with-question.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { useErrorMessage } from '../error-message.ts'
import { resourceOptions, searchOptions, useOptions } from '../reference-options.ts'
import { ImportProgressView } from './import-progress.tsx'
import { ImportReportView } from './import-report.tsx'
import { forgetImport, getImportState, startImport, useImportState, hideImportToast } from './import.store.ts'
import type { ImportTexts } from './import.texts.ts'
import classes from './imports.module.css'
import { TemplateLinks } from './template-links.tsx'

/** The row that a file belongs to: the field of the form, and its resource. */
interface ImportOwner {
  readonly field: string
  readonly resource: string
  readonly label: string
  readonly loadFailed: string
}

export type ImportDialogProps = {
  opened: boolean
  onClose: () => void
  /** The call of the import, and the call of its template where it has one. */
  call: Call
  template?: Call
  /** The template file's name without its extension, where the server gives none. */
  name: string
  /** What the form asks for beside the file. */
  owner?: ImportOwner
  texts: ImportTexts
}

/**
 * Imports a csv or xlsx file: the progress, the result, and the reasons of skipped rows. An import continues
 * when the dialog closes, and the dialog shows it when it opens again.
 */
export function ImportDialog({ opened, onClose, ...rest }: ImportDialogProps) {
  const { call, texts } = rest
  useEffect(() => {
    if (!opened) return
    const unwatch = hideImportToast(call)
    return () => {
      unwatch()
      forgetImport(call)
    }
  }, [opened, call])
  return (
    <Modal opened={opened} title={texts.title} onClose={onClose} width={560}>
      <ImportBody {...rest} onClose={onClose} />
    </Modal>
  )
}

function ImportBody(props: Omit<ImportDialogProps, 'opened'>) {
  const { call, template, name, owner, texts, onClose } = props
  const client = useQueryClient()
  const toasts = useToasts()
  const reason = useErrorMessage()
  const state = useImportState(call)
  const ownerField = useOwnerField(owner)
  const fields: FormField[] = [
    ...(ownerField ? [ownerField] : []),
    { name: 'file', label: texts.file, kind: 'file', accept: ['csv', 'xlsx'], required: true },
  ]

  const submit = async ({ file, ...otherValues }: FormValues): Promise<SubmitResult> => {
    if (!(file instanceof File)) return { ok: false, message: texts.failed }
    const textEntries = Object.entries(otherValues).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    const isDone = await startImport({
      call,
      fields: Object.fromEntries(textEntries),
      file,
      texts,
      toasts,
      reason,
    })
    await client.invalidateQueries()
    return isDone
      ? { ok: true }
      : { ok: false, message: texts.failed, reason: getImportState(call)?.failure ?? '' }
  }

  return (
    <div className={classes.report}>
      {template && <TemplateLinks call={template} name={name} texts={texts} />}
      <FormWithQuestion
        fields={fields}
        submitLabel={texts.submit}
        loadingText={texts.loading}
        disabled={state?.step !== undefined && state.step !== null}
        isBackground
        isSubmitted={state !== undefined && state.failure === null}
        onSubmit={submit}
        onCancel={onClose}
      />
      {state?.step && <ImportProgressView state={state} step={state.step} texts={texts} />}
      {state?.report && <ImportReportView report={state.report} file={state.file} texts={texts.report} />}
    </div>
  )
}

/** The options of a file without an owner. They are not loaded. */
const noOwner: ImportOwner = { field: '', resource: 'cpa-sources', label: '', loadFailed: '' }

function useOwnerField(owner: ImportOwner | undefined): FormField | null {
  const getMessage = useErrorMessage()
  const { field, resource, label, loadFailed } = owner ?? noOwner
  const source = useMemo(() => resourceOptions(resource), [resource])
  const { options, error } = useOptions(source, [], owner !== undefined)
  if (owner === undefined) return null
  return {
    name: field,
    label,
    kind: 'select',
    options,
    onSearch: searchOptions(resource),
    required: true,
    ...(error && { hint: `${loadFailed} ${getMessage(error)}` }),
  }
}
