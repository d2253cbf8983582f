import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { importLeads } from '@karvon/contract/leads/leads.ts'
import { importParcels } from '@karvon/contract/parcels/parcels.ts'
import { RadioGroup } from '../ui/fields/radio-group.tsx'
import type { FormField, FormValues } from '../ui/form/form.rules.ts'
import { Form, type SubmitResult } from '../ui/form/form.tsx'
import { Modal } from '../ui/overlay/modal.tsx'
import { HttpError, reasonOf, send } from '../kit/http.ts'
import { searchNames } from '../kit/references.ts'
import { listNames } from '../kit/resource.api.ts'
import { ImportReport, type FileReport } from './import-report.tsx'
import classes from './parcels.module.css'
import { importTexts as texts } from './parcels.texts.ts'

/** An admin's import of parcels with their history, or of one source's leads. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} title={texts.title} onClose={onClose} width={560}>
      <ImportForm onClose={onClose} />
    </Modal>
  )
}

type What = 'parcels' | 'leads'

const choices: readonly { value: What; label: string }[] = [
  { value: 'parcels', label: texts.parcels },
  { value: 'leads', label: texts.leads },
]
const fileField: FormField = {
  name: 'file',
  label: texts.file,
  kind: 'file',
  accept: ['csv', 'xlsx'],
  required: true,
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [what, setWhat] = useState<What>('parcels')
  const [report, setReport] = useState<FileReport | null>(null)
  const leads = what === 'leads'
  const sources = useQuery({
    queryKey: ['resource', 'cpa-sources', 'names'],
    queryFn: ({ signal }) => listNames('cpa-sources', '', signal),
    enabled: leads,
  })
  const options = sources.data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  const sourceField: FormField = {
    name: 'source_id',
    label: texts.source,
    kind: 'select',
    options,
    onSearch: searchNames('cpa-sources'),
    required: true,
    ...(sources.error && { hint: `${texts.sourcesFailed} ${reasonOf(sources.error)}` }),
  }

  const submit = async (values: FormValues): Promise<SubmitResult> => {
    setReport(null)
    const form = new FormData()
    // The source stands before the file: a server that reads the parts in order knows it by then.
    if (typeof values.source_id === 'string') form.set('source_id', values.source_id)
    if (values.file instanceof File) form.set('file', values.file)
    try {
      setReport(await send(leads ? importLeads : importParcels, { body: form }))
    } catch (error) {
      const unsure = error instanceof HttpError && error.status === 0
      return {
        ok: false,
        message: texts.failed,
        reason: `${reasonOf(error)}${unsure ? `\n${texts.again}` : ''}`,
      }
    }
    await client.invalidateQueries()
    return { ok: true }
  }

  return (
    <div className={classes.report}>
      <RadioGroup
        label={texts.what}
        options={choices}
        value={what}
        onChange={(value) => {
          setWhat(value === 'leads' ? 'leads' : 'parcels')
          setReport(null)
        }}
      />
      <Form
        key={what}
        fields={leads ? [sourceField, fileField] : [fileField]}
        submitLabel={texts.submit}
        loadingText={texts.loading}
        onSubmit={submit}
        onCancel={onClose}
      />
      {report && <ImportReport report={report} />}
    </div>
  )
}
