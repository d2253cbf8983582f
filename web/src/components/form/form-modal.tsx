import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Skeleton } from '../display/skeleton.tsx'
import { Modal } from '../overlay/modal.tsx'
import { useUiTexts } from '../texts.ts'
import { FormWithDraft, type FormWithDraftProps } from './form-with-draft.tsx'
import classes from './form.module.css'

/** Milliseconds between a successful save and the close (specification, section 9). */
const closeDelayMs = 1000

export type FormModalProps = Omit<FormWithDraftProps, 'onSuccess' | 'onCancel' | 'disabled'> & {
  opened: boolean
  title: string
  onClose: () => void
  /** Called at once after a successful save, so that the list reloads while the message is visible. */
  onSaved?: () => void
  /** The message after a save without a message of its own. Default 'Saved successfully.' */
  savedText?: string
  /** The row to edit is still loading. */
  loading?: boolean
  width?: number | undefined
  /** Shown instead of the form, for a row that is read-only. */
  replacement?: ReactNode
}

/**
 * A form in a modal, for create or edit. A failed save keeps the modal open with the error inside. A
 * successful save shows a message and closes the modal after a second. Each opening starts from
 * `initialValues`.
 */
export function FormModal({ opened, title, onClose, width, ...rest }: FormModalProps) {
  return (
    <Modal opened={opened} title={title} onClose={onClose} width={width}>
      <FormModalBody {...rest} onClose={onClose} />
    </Modal>
  )
}

function FormModalBody(props: Omit<FormModalProps, 'opened' | 'title' | 'width'>) {
  const { onClose, onSaved, savedText, loading = false, replacement, ...form } = props
  const texts = useUiTexts()
  const [savedNotice, setSavedNotice] = useState<string | null>(null)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (savedNotice === null) return
    const timer = setTimeout(() => close(), closeDelayMs)
    return () => clearTimeout(timer)
  }, [savedNotice])

  if (loading) {
    return (
      <div className={classes.fields} role="status" aria-label={texts.loading} data-form-loading>
        {form.fields.map((field) => (
          <div key={field.name} data-width={field.width ?? 'full'}>
            <Skeleton height={59} />
          </div>
        ))}
      </div>
    )
  }
  if (replacement !== undefined && replacement !== null) return replacement
  return (
    <>
      <div role="status">{savedNotice !== null && <p className={classes.saved}>{savedNotice}</p>}</div>
      <FormWithDraft
        {...form}
        disabled={savedNotice !== null}
        onCancel={onClose}
        onSuccess={(message) => {
          setSavedNotice(message ?? savedText ?? texts.saved)
          onSaved?.()
        }}
      />
    </>
  )
}
