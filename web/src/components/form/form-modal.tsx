import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Skeleton } from '../display/skeleton.tsx'
import { Modal } from '../overlay/modal.tsx'
import { useUiTexts } from '../texts.ts'
import { Form, type FormProps } from './form.tsx'
import classes from './form.module.css'

/** Milliseconds between a successful save and the close (specification, section 9). */
const closeDelay = 1000

export type FormModalProps = Omit<FormProps, 'onSuccess' | 'onCancel' | 'disabled'> & {
  opened: boolean
  title: string
  onClose: () => void
  /** At once after a successful save, so that the list can reload while the message is read. */
  onSaved?: () => void
  /** Shown after a save whose result has no message; default 'Saved successfully.' */
  savedText?: string
  /** The row to edit is still on its way. */
  loading?: boolean
  width?: number | undefined
  /** In place of the form, for what is only looked at. */
  instead?: ReactNode
}

/**
 * A form in a modal, for create or edit. A failed save keeps it open with the error inside; a successful
 * one says so and closes after a second. Each opening starts from `initialValues`.
 */
export function FormModal({ opened, title, onClose, width, ...rest }: FormModalProps) {
  // Opened again while the last one still fades, it must not keep what was typed there.
  const [opening, setOpening] = useState({ opened, count: 0 })
  if (opening.opened !== opened) setOpening({ opened, count: opening.count + (opened ? 1 : 0) })
  return (
    <Modal opened={opened} title={title} onClose={onClose} width={width}>
      <FormModalBody key={opening.count} {...rest} onClose={onClose} />
    </Modal>
  )
}

function FormModalBody(props: Omit<FormModalProps, 'opened' | 'title' | 'width'>) {
  const { onClose, onSaved, savedText, loading = false, instead, ...form } = props
  const texts = useUiTexts()
  const [saved, setSaved] = useState<string | null>(null)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (saved === null) return
    const timer = setTimeout(() => close(), closeDelay)
    return () => clearTimeout(timer)
  }, [saved])

  if (loading) {
    return (
      <div className={classes.fields} role="status" aria-label={texts.loading}>
        {form.fields.map((field) => (
          <div key={field.name} data-width={field.width ?? 'full'}>
            <Skeleton height={59} />
          </div>
        ))}
      </div>
    )
  }
  if (instead !== undefined && instead !== null) return instead
  return (
    <>
      <div role="status">{saved !== null && <p className={classes.saved}>{saved}</p>}</div>
      <Form
        {...form}
        disabled={saved !== null}
        onCancel={onClose}
        onSuccess={(message) => {
          setSaved(message ?? savedText ?? texts.saved)
          onSaved?.()
        }}
      />
    </>
  )
}
