import { useState } from 'react'
import { useDraftKeeper } from './draft.hook.ts'
import { takeDraft, type DraftKey } from '../../lib/session.draft.ts'
import { typedMark } from '../overlay/layer.store.ts'
import { Form, type FormProps } from './form.tsx'
import { getInitialValues, type FormValues } from './form.rules.ts'
import type { SubmitResult } from './submit.ts'

export type FormWithDraftProps = Omit<FormProps, 'onSubmit'> & {
  draft: DraftKey
  /** `version` is that of `draft`, or the earlier one of restored input. */
  onSubmit: (values: FormValues, version: unknown) => Promise<SubmitResult | void>
}

/** A form whose input is kept in memory if the session ends, for the same person's next sign-in. No secret is kept. */
export function FormWithDraft({ draft, children, onSubmit, ...form }: FormWithDraftProps) {
  const [startValues, setStartValues] = useState(() => getInitialValues(form.fields, form.initialValues))
  const [restoredDraft] = useState(() => takeDraft(draft))
  const restoredValues = restoredDraft?.values as FormValues | undefined
  const version = restoredDraft === undefined ? draft.version : restoredDraft.version
  const submit = async (values: FormValues) => {
    const result = await onSubmit(values, version)
    // The form may stay open. What it saved is no input that could be lost.
    if (!result || result.ok) setStartValues(values)
    return result
  }
  return (
    <Form {...form} initialValues={{ ...startValues, ...restoredValues }} onSubmit={submit}>
      {(values) => (
        <>
          <DraftKeeper
            draft={{ ...draft, version }}
            fields={form.fields}
            startValues={startValues}
            // The values of a form that can no longer be changed are saved.
            values={form.disabled === true ? startValues : values}
          />
          {restoredDraft !== undefined && <span hidden {...{ [typedMark]: '' }} />}
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
export function DraftKeeper({ draft, fields, startValues, values }: DraftKeeperProps): null {
  const changedFields = fields.filter(({ name }) => values[name] !== startValues[name])
  const openFields = changedFields.filter(({ kind }) => kind !== 'password')
  useDraftKeeper(
    draft,
    changedFields.length === 0
      ? null
      : Object.fromEntries(openFields.map(({ name }) => [name, values[name]])),
  )
  return null
}
