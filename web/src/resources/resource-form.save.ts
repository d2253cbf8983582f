import type { Resource } from '@karvon/contract/lib/resource.ts'
import type { FormValues } from '../components/form/form.rules.ts'
import type { SubmitResult } from '../components/form/submit.ts'
import { useDialogs } from '../components/overlay/dialogs.tsx'
import { useSettings } from '../lib/settings.store.ts'
import type { ReferenceOptions } from './reference-options.ts'
import { resourceApi } from './resource.api.ts'
import type { AnyRow } from './resource-fields.ts'
import { toSubmitFailure } from './resource-form.failure.ts'
import { toRequestBody } from './resource-form.fields.ts'

interface SaveOptions {
  /** The row before the edit. */
  readonly row: AnyRow | undefined
  /** Fields that the form does not show. An edit sends them unchanged. */
  readonly hidden: readonly string[] | undefined
  readonly startValues: FormValues
  readonly findId: ReferenceOptions['findId']
  readonly reloadRow: () => void
}

/** The function that saves the values of a form: it creates a row (id 0) or updates one. */
export function useSaveRow<Row>(
  resource: Resource<Row>,
  id: number | null,
  { row, hidden, startValues, findId, reloadRow }: SaveOptions,
): (values: FormValues, version: unknown) => Promise<SubmitResult> {
  const dialogs = useDialogs()
  const { concurrent_edits } = useSettings()
  const isEdit = id !== null && id > 0
  return async (values, version) => {
    const hiddenValues = Object.entries(row ?? {}).filter(([key]) => hidden?.includes(key))
    const body = {
      ...Object.fromEntries(hiddenValues),
      ...toRequestBody(resource, values, { startValues: isEdit ? startValues : undefined, findId }),
      ...(concurrent_edits && isEdit && { updated_at: version }),
    }
    const api = resourceApi(resource)
    try {
      await (isEdit ? api.update(id, body) : api.create(body))
      return { ok: true }
    } catch (failure) {
      return toSubmitFailure(failure, resource, { reload: reloadRow, alert: dialogs.alert })
    }
  }
}
