import { type ReactNode, useState } from 'react'
import { Button } from '../actions/button.tsx'
import { savingAttribute } from '../overlay/layer.store.ts'
import { useUiTexts } from '../texts.ts'
import { FormFailure } from './form-failure.tsx'
import { FormFieldInput } from './form-field.tsx'
import { type FormSubmitProps, useFormSubmit } from './form-submit.hook.ts'
import { type FieldValue, type FormValues, getInitialValues, selectShownFields } from './form.rules.ts'
import classes from './form.module.css'

export type FormProps = FormSubmitProps & {
  initialValues?: FormValues
  /** Default 'Save'. A function gets the current values. */
  submitLabel?: string | ((values: FormValues) => string)
  /** Shown while a submit runs. Default 'Loading...'. */
  loadingText?: string
  /** Shows a Cancel button. */
  onCancel?: () => void
  disabled?: boolean
  /** Shown between the fields and the buttons, e.g. a delete button. A function gets the current values. */
  children?: ReactNode | ((values: FormValues) => ReactNode)
}

/**
 * A form built from a description of its fields. A failed submit keeps the values. While a submit runs, the form takes no
 * input and its dialog does not close.
 */
export function Form(props: FormProps) {
  const { fields, initialValues, submitLabel, loadingText, onCancel, children } = props
  const { disabled = false, isBackground = false } = props
  const texts = useUiTexts()
  const [values, setValues] = useState(() => getInitialValues(fields, initialValues))
  const { form, isBusy, errors, setErrors, failure, submit } = useFormSubmit(props, values)

  const change = (name: string, value: FieldValue) => {
    setValues((before) => ({ ...before, [name]: value }))
    setErrors(({ [name]: _error, ...otherErrors }) => otherErrors)
  }

  return (
    <form
      ref={form}
      noValidate
      className={classes.form}
      {...{ [savingAttribute]: (isBusy && !isBackground) || undefined }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && !disabled) void submit()
      }}
    >
      {failure && <FormFailure {...failure} form={form} />}
      <div className={classes.fields} inert={isBusy}>
        {selectShownFields(fields, values).map((field) => (
          <div key={field.name} data-width={field.width ?? 'full'}>
            <FormFieldInput
              field={field}
              value={values[field.name] ?? null}
              error={errors[field.name]}
              disabled={disabled}
              onChange={(value) => change(field.name, value)}
            />
          </div>
        ))}
      </div>
      {children !== undefined && (
        <div className={classes.more} inert={isBusy}>
          {typeof children === 'function' ? children(values) : children}
        </div>
      )}
      <div className={classes.buttons}>
        {onCancel && (
          <Button disabled={isBusy && !isBackground} onClick={onCancel}>
            {texts.cancel}
          </Button>
        )}
        <Button type="submit" tone="primary" loading={isBusy} loadingText={loadingText} disabled={disabled}>
          {(typeof submitLabel === 'function' ? submitLabel(values) : submitLabel) ?? texts.save}
        </Button>
      </div>
    </form>
  )
}
