import { TrashIcon } from '../components/actions/icons.tsx'
import { useToasts } from '../components/overlay/toasts.tsx'
import { ActionButton } from './action-button.tsx'

type DeleteButtonProps = {
  texts: { remove: string; removing: string; removed: string; removeFailed: string }
  question: string
  run: () => Promise<unknown>
  /** Closes the dialog of the row, and loads the rows again. */
  onDeleted: () => void | Promise<void>
}

/** Deletes after a question, and tells so. */
export function DeleteButton({ texts, question, run, onDeleted }: DeleteButtonProps) {
  const toasts = useToasts()
  return (
    <ActionButton
      tone="ghost"
      icon={<TrashIcon size={17} />}
      label={texts.remove}
      loadingText={texts.removing}
      failureText={texts.removeFailed}
      question={{ text: question, danger: true }}
      run={run}
      onSuccess={() => {
        toasts.show({ title: texts.removed })
        return onDeleted()
      }}
    />
  )
}
