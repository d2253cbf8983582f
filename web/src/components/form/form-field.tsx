import { Checkbox } from '../fields/checkbox.tsx'
import { FileField } from '../fields/file-field.tsx'
import { MultiSelect } from '../fields/multi-select.tsx'
import { MoneyField, NumberField } from '../fields/number-field.tsx'
import { PasswordField } from '../fields/password-field.tsx'
import { RadioGroup } from '../fields/radio-group.tsx'
import { Select } from '../fields/select.tsx'
import { TextArea } from '../fields/text-area.tsx'
import { TextField } from '../fields/text-field.tsx'
import type { FieldValue, FormField } from './form.rules.ts'

type FormFieldInputProps = {
  field: FormField
  value: FieldValue
  error: string | undefined
  disabled: boolean
  onChange: (value: FieldValue) => void
}

/** The input of one declared field. */
export function FormFieldInput({ field, value, error, disabled, onChange }: FormFieldInputProps) {
  const { kind, options = [], onSearch, placeholder, autoComplete, maxLength, accept } = field
  const commonProps = {
    name: field.name,
    label: field.label,
    required: field.required,
    hint: field.hint,
    warning: field.warning?.(value),
    disabled: disabled || field.disabled,
    // Null, not undefined: the form validates, not the field.
    error: error ?? null,
  }
  const text = typeof value === 'string' ? value : ''
  const textProps = { ...commonProps, value: text, onChange, placeholder }
  switch (kind) {
    case 'password':
      return (
        <PasswordField {...textProps} autoComplete={autoComplete ?? 'new-password'} maxLength={maxLength} />
      )
    case 'number':
      return <NumberField {...textProps} />
    case 'money':
      return <MoneyField {...textProps} inputMode={field.inputMode} />
    case 'textarea':
      return <TextArea {...textProps} maxLength={maxLength} rows={field.rows} mono={field.mono} />
    case 'select':
      return <Select {...textProps} options={options} onSearch={onSearch} />
    case 'multiselect':
      return (
        <MultiSelect
          {...commonProps}
          placeholder={placeholder}
          options={options}
          onSearch={onSearch}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      )
    case 'checkbox':
      return (
        <Checkbox
          {...commonProps}
          checked={value === true}
          indeterminate={value === null}
          onChange={onChange}
        />
      )
    case 'radio':
      return <RadioGroup {...commonProps} options={options} value={text} onChange={onChange} />
    case 'file':
      return (
        <FileField
          {...commonProps}
          value={value instanceof File ? value : null}
          onChange={onChange}
          accept={accept}
        />
      )
    case 'text':
    case 'email':
    case 'url':
    case 'date':
      return (
        <TextField
          {...textProps}
          type={kind}
          autoComplete={autoComplete ?? 'off'}
          maxLength={maxLength}
          inputMode={field.inputMode}
        />
      )
  }
}
