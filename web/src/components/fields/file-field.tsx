import { type ReactNode, useId, useRef, useState } from 'react'
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon, UploadIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { FieldNote, type FieldProps } from './field-frame.tsx'
import classes from './file-field.module.css'

export type FileFieldProps = FieldProps & {
  value: File | null
  onChange: (file: File | null) => void
  /** Extensions without dots, e.g. `['pdf', 'xlsx']`; a file of another is refused with a message. */
  accept?: readonly string[]
  /** Stands in the zone instead of the invitation: what was recognised, a link to a template. */
  children?: ReactNode
}

/** A zone to drop a file on, or to choose one by pressing it. */
export function FileField(props: FileFieldProps) {
  const { label, value, onChange, accept, children, required, hint, disabled } = props
  const texts = useUiTexts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const error = refused ?? props.error

  const take = (file: File | undefined) => {
    if (!file || disabled) return
    const extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? ''
    const fine = !accept || accept.includes(extension)
    setRefused(fine ? null : texts.wrongFile(accept.join(', ')))
    if (fine) onChange(file)
  }
  const clear = () => {
    setRefused(null)
    onChange(null)
    input.current?.focus()
  }

  return (
    <div className={classes.field}>
      <div
        className={classes.zone}
        data-over={over || undefined}
        data-invalid={error ? true : undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files[0])
        }}
      >
        <input
          ref={input}
          id={id}
          type="file"
          name={props.name}
          aria-label={label}
          accept={accept?.map((extension) => `.${extension}`).join(',')}
          disabled={disabled}
          aria-required={required || undefined}
          aria-describedby={error || hint ? `${id}note` : undefined}
          aria-invalid={error ? true : undefined}
          className={classes.input}
          onChange={(event) => {
            take(event.currentTarget.files?.[0])
            // Choosing the same file again must count as a change.
            event.currentTarget.value = ''
          }}
        />
        <UploadIcon />
        <div className={classes.words}>
          <label htmlFor={id} className={classes.name}>
            {value ? value.name : texts.chooseFile}
          </label>
          {children ?? (accept && !value && <p className={classes.accept}>{accept.join(', ')}</p>)}
        </div>
        {value && !disabled && (
          <IconButton label={texts.remove(value.name)} onClick={clear}>
            <CloseIcon size={17} />
          </IconButton>
        )}
      </div>
      <FieldNote id={`${id}note`} hint={hint} error={error} />
    </div>
  )
}
