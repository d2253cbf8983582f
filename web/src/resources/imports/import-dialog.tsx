import { useEffect } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import type { FormField, FormValues } from '../../components/form/form.rules.ts'
import { Form, type SubmitResult } from '../../components/form/form.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { useReason } from '../reason.tsx'
import { optionsOf, searchNames } from '../references.ts'
import { listNames } from '../resource.api.ts'
import { ImportProgress } from './import-progress.tsx'
import { ImportReport } from './import-report.tsx'
import { forgetImport, importOf, startImport, useImport, watchImport } from './import.store.ts'
import type { ImportTexts } from './import.texts.ts'
import classes from './imports.module.css'
import { TemplateLinks } from './template-links.tsx'

export type ImportDialogProps = {
  opened: boolean
  onClose: () => void
  /** The import's own call, and that of its template. */
  call: Call
  template: Call
  /** The template file's name without its extension, where the server gives none. */
  name: string
  /** Asks for the source that the rows are of. */
  ofSource?: boolean
  texts: ImportTexts
}

/**
 * An import of a csv or xlsx file: how far it is, what became of its rows, and why some were skipped. Closed
 * while it runs it goes on, and shows it again when it is opened anew.
 */
export function ImportDialog({ opened, onClose, ...rest }: ImportDialogProps) {
  const { call, texts } = rest
  useEffect(() => {
    if (!opened) return
    const unwatch = watchImport(call)
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
  const { call, template, name, ofSource = false, texts, onClose } = props
  const client = useQueryClient()
  const toasts = useToasts()
  const reason = useReason()
  const state = useImport(call)
  const source = useSourceField(ofSource, texts)
  const fields: FormField[] = [
    ...(source ? [source] : []),
    { name: 'file', label: texts.file, kind: 'file', accept: ['csv', 'xlsx'], required: true },
  ]

  const submit = async ({ file, ...others }: FormValues): Promise<SubmitResult> => {
    if (!(file instanceof File)) return { ok: false, message: texts.failed }
    const given = Object.entries(others).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    const done = await startImport({ call, fields: Object.fromEntries(given), file, texts, toasts, reason })
    await client.invalidateQueries()
    return done ? { ok: true } : { ok: false, message: texts.failed, reason: importOf(call)?.failure ?? '' }
  }

  return (
    <div className={classes.report}>
      <TemplateLinks call={template} name={name} texts={texts} />
      <Form
        fields={fields}
        submitLabel={texts.submit}
        loadingText={texts.loading}
        disabled={state?.step !== undefined && state.step !== null}
        onSubmit={submit}
        onCancel={onClose}
      />
      {state?.step && <ImportProgress state={state} step={state.step} texts={texts} />}
      {state?.report && <ImportReport report={state.report} file={state.file} texts={texts.report} />}
    </div>
  )
}

function useSourceField(wanted: boolean, texts: ImportTexts): FormField | null {
  const reason = useReason()
  const { data, error } = useQuery({
    queryKey: ['resource', 'cpa-sources', 'names'],
    queryFn: ({ signal }) => listNames('cpa-sources', '', signal),
    enabled: wanted,
  })
  if (!wanted) return null
  return {
    name: 'source_id',
    label: texts.source,
    kind: 'select',
    options: optionsOf(data?.items),
    onSearch: searchNames('cpa-sources'),
    required: true,
    ...(error && { hint: `${texts.sourcesFailed} ${reason(error)}` }),
  }
}
