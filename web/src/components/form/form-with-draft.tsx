import { useEffect, useEffectEvent, useState } from 'react'
import { findDraft, setDraft, type DraftKey } from '../../lib/session.draft.ts'
import { getSession, subscribeToSession } from '../../lib/session.store.ts'
import { Form, type FormProps } from './form.tsx'
import { getInitialValues, type FormValues } from './form.rules.ts'

/** The start values with those that the person typed before the last session ended. */
function restoreValues({ name, target }: DraftKey, startValues: FormValues): FormValues {
  const draft = findDraft()
  if (draft?.name !== name || draft.target !== target) return startValues
  setDraft(null)
  return { ...startValues, ...(draft.values as FormValues) }
}

/** A form whose input is kept in memory if the session ends, for the same person's next sign-in. No secret is kept. */
export function FormWithDraft({ draft, children, ...form }: FormProps & { draft: DraftKey }) {
  const [startValues] = useState(() => getInitialValues(form.fields, form.initialValues))
  const [initialValues] = useState(() => restoreValues(draft, startValues))
  return (
    <Form {...form} initialValues={initialValues}>
      {(values) => (
        <>
          <DraftKeeper draft={draft} fields={form.fields} startValues={startValues} values={values} />
          {typeof children === 'function' ? children(values) : children}
        </>
      )}
    </Form>
  )
}

type DraftKeeperProps = Pick<FormProps, 'fields'> & {
  draft: DraftKey
  startValues: FormValues
  values: FormValues
}

/** Keeps the changed values when the session ends. Draws nothing. */
function DraftKeeper({ draft, fields, startValues, values }: DraftKeeperProps): null {
  const [{ username, address }] = useState(() => ({
    username: getSession()?.user?.username,
    address: window.location.pathname + window.location.search,
  }))
  const keep = useEffectEvent(() => {
    if (username === undefined || getSession() !== null) return
    const changedFields = fields.filter(({ name }) => values[name] !== startValues[name])
    if (changedFields.length === 0) return
    const openFields = changedFields.filter(({ kind }) => kind !== 'password')
    setDraft({
      ...draft,
      username,
      address,
      values: Object.fromEntries(openFields.map(({ name }) => [name, values[name]])),
    })
  })
  useEffect(() => subscribeToSession(() => keep()), [])
  return null
}
