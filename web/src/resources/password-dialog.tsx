import type { FormField } from '../components/form/form.rules.ts'
import { Form } from '../components/form/form.tsx'
import { Modal } from '../components/overlay/modal.tsx'
import classes from './password-dialog.module.css'
import { passwordTexts as texts } from './password-dialog.texts.ts'
import { tried } from '../components/form/tried.ts'

const fields: readonly FormField[] = [
  {
    name: 'current_password',
    label: texts.current,
    kind: 'password',
    required: true,
    autoComplete: 'current-password',
    maxLength: 256,
  },
]

interface Asked {
  title: string
  words: string
  submitLabel: string
  /** A rejection stands in the dialog, which stays open. */
  work: (proof: { current_password: string }) => Promise<void>
}

/** Asks for the current password before a change that a stolen session must not make. Null: closed. */
export function PasswordDialog({ asked, onClose }: { asked: Asked | null; onClose: () => void }) {
  return (
    <Modal opened={asked !== null} title={asked?.title ?? ''} onClose={onClose} width={420}>
      {asked && (
        <div className={classes.step}>
          <p className={classes.words}>{asked.words}</p>
          <Form
            fields={fields}
            submitLabel={asked.submitLabel}
            onCancel={onClose}
            onSubmit={({ current_password: typed }) =>
              tried(() => asked.work({ current_password: typeof typed === 'string' ? typed : '' }))
            }
            onSuccess={onClose}
          />
        </div>
      )}
    </Modal>
  )
}
