import { type ReactNode, useId, useRef, useState } from 'react'
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon, UploadIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { FieldNote, type FieldProps } from './field-frame.tsx'
import classes from './file-field.module.css'

export type FileFieldProps = FieldProps & {
  value: File | null
  onChange: (file: File | null) => void
  /** Extensions without dots, e.g. `['pdf', 'xlsx']`. A file with another extension shows an error. */
  accept?: readonly string[]
  /** Replaces the invitation in the zone: the preview of a file, a link to a template. */
  children?: ReactNode
}

/** A zone for a file: drop it there, or press to choose one. */
export function FileField(props: FileFieldProps) {
  const { label, value, onChange, accept, children, required, hint, disabled } = props
  const texts = useUiTexts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const [typeError, setTypeError] = useState<string | null>(null)
  const error = typeError ?? props.error

  const chooseFile = (file: File | undefined) => {
    if (!file || disabled) return
    const extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? ''
    const isAccepted = !accept || accept.includes(extension)
    setTypeError(isAccepted ? null : texts.wrongFile({ accept: accept.join(', ') }))
    if (isAccepted) onChange(file)
  }
  const clear = () => {
    setTypeError(null)
    onChange(null)
    input.current?.focus()
  }

  return (
    <div className={classes.field}>
      <div
        className={classes.zone}
        data-over={isDraggedOver || undefined}
        data-invalid={error ? true : undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsDraggedOver(true)
        }}
        onDragLeave={() => setIsDraggedOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsDraggedOver(false)
          chooseFile(event.dataTransfer.files[0])
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
            chooseFile(event.currentTarget.files?.[0])
            // Choosing the same file again must be a change.
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
          <IconButton label={texts.remove({ label: value.name })} onClick={clear}>
            <CloseIcon size={17} />
          </IconButton>
        )}
      </div>
      <FieldNote id={`${id}note`} hint={hint} error={error} />
    </div>
  )
}
