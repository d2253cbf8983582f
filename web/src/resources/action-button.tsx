import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button, type ButtonTone } from '../components/actions/button.tsx'
import { useDialogs, type ConfirmOptions } from '../components/overlay/dialogs.tsx'
import { savingAttribute } from '../components/overlay/layer.store.ts'
import { useFocusAfterBusy } from '../components/focus-after-busy.hook.ts'
import classes from '../lib/cells.module.css'
import { getErrorMessage } from '../lib/http.ts'

type ActionButtonProps<Answer> = {
  label: string
  loadingText?: string
  tone?: ButtonTone
  /** What the action is about, for screen readers. */
  name?: string | number
  icon?: ReactNode
  /** Makes the button as low as a table row. */
  inRow?: boolean
  className?: string
  /** Asked before the action runs. Default for `confirmLabel`: the label of the action. */
  question?: ConfirmOptions & { text: string }
  run: () => Promise<Answer>
  onSuccess: (answer: Answer) => void | Promise<void>
  /** The title of the dialog that shows an error. */
  failureText: string
}

/** A button that makes one call, shows that it runs, keeps the focus, and shows its error in a dialog. */
export function ActionButton<Answer>(props: ActionButtonProps<Answer>) {
  const { label, loadingText, tone, name, icon, inRow = false, className = '' } = props
  const { question, run, onSuccess, failureText } = props
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: run,
    onSuccess: (answer) => onSuccess(answer),
    onError: (error) => dialogs.alert(failureText, getErrorMessage(error)),
  })
  const button = useFocusAfterBusy(isPending)
  const confirmAndRun = async () => {
    if (!question || (await dialogs.confirm(question.text, { confirmLabel: label, ...question }))) mutate()
  }
  return (
    <Button
      ref={button}
      {...(tone && { tone })}
      className={`${inRow ? classes.inRow : ''} ${className}`.trim()}
      icon={icon}
      loading={isPending}
      {...{ [savingAttribute]: isPending || undefined }}
      {...(loadingText && { loadingText })}
      onClick={() => void confirmAndRun()}
    >
      {label}
      {name !== undefined && <span className="visually-hidden">{name}</span>}
    </Button>
  )
}
