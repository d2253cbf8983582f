import { maxPassword } from '@karvon/contract/lib/limits.ts'
import type { FormField } from '../components/form/form.rules.ts'
import { FormWithQuestion } from '../components/form/form-with-question.tsx'
import { Modal } from '../components/overlay/modal.tsx'
import classes from './password-dialog.module.css'
import { passwordTexts as texts } from './password-dialog.texts.ts'
import { submitWithFieldErrors } from '../components/form/submit.ts'

const fields: readonly FormField[] = [
  {
    name: 'current_password',
    label: texts.current,
    kind: 'password',
    required: true,
    autoComplete: 'current-password',
    maxLength: maxPassword,
  },
]

interface PasswordPrompt {
  title: string
  text: string
  submitLabel: string
  /** A rejected promise shows its error in the dialog, which stays open. */
  onConfirm: (proof: { current_password: string }) => Promise<void>
}

/** Asks for the current password before a change that a stolen session must not make. Null: closed. */
export function PasswordDialog({ prompt, onClose }: { prompt: PasswordPrompt | null; onClose: () => void }) {
  return (
    <Modal opened={prompt !== null} title={prompt?.title ?? ''} onClose={onClose} width={420}>
      {prompt && (
        <div className={classes.step}>
          <p className={classes.words}>{prompt.text}</p>
          <FormWithQuestion
            fields={fields}
            submitLabel={prompt.submitLabel}
            onCancel={onClose}
            onSubmit={({ current_password: typedPassword }) =>
              submitWithFieldErrors(() =>
                prompt.onConfirm({
                  current_password: typeof typedPassword === 'string' ? typedPassword : '',
                }),
              )
            }
            onSuccess={onClose}
          />
        </div>
      )}
    </Modal>
  )
}
