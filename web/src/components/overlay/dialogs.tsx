import { createContext, type ReactNode, useContext, useId, useMemo, useState } from 'react'
import { Button } from '../actions/button.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './dialogs.module.css'
import { Modal } from './modal.tsx'

type Message = {
  text: string
  /** Stands below the text, quieter. */
  reason?: string | undefined
}

/** A message that must be seen; closed by its button or Esc. */
function AlertDialog({ opened, onClose, ...message }: Message & { opened: boolean; onClose: () => void }) {
  const texts = useUiTexts()
  return (
    <MessageDialog opened={opened} onClose={onClose} {...message}>
      <Button tone="primary" data-autofocus onClick={onClose}>
        {texts.ok}
      </Button>
    </MessageDialog>
  )
}

export type ConfirmOptions = { confirmLabel?: string; danger?: boolean; reason?: string }

/** A question; Esc and Cancel answer no. The focus starts on Cancel. */
function ConfirmDialog(
  props: Message & ConfirmOptions & { opened: boolean; onAnswer: (yes: boolean) => void },
) {
  const { opened, onAnswer, confirmLabel, danger = false, text, reason } = props
  const texts = useUiTexts()
  return (
    <MessageDialog opened={opened} onClose={() => onAnswer(false)} text={text} reason={reason}>
      <Button data-autofocus onClick={() => onAnswer(false)}>
        {texts.cancel}
      </Button>
      <Button tone={danger ? 'danger' : 'primary'} onClick={() => onAnswer(true)}>
        {confirmLabel ?? texts.ok}
      </Button>
    </MessageDialog>
  )
}

function MessageDialog(props: Message & { opened: boolean; onClose: () => void; children: ReactNode }) {
  const id = useId()
  const { opened, onClose, text, reason, children } = props
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      role="alertdialog"
      labelledBy={`${id}text`}
      describedBy={reason ? `${id}reason` : undefined}
      width={420}
      footer={children}
    >
      <p id={`${id}text`} className={classes.text}>
        {text}
      </p>
      {reason && (
        <p id={`${id}reason`} className={classes.reason}>
          {reason}
        </p>
      )}
    </Modal>
  )
}

export type Dialogs = {
  /** Shows a message; settles when it is closed. */
  alert: (text: string, reason?: string) => Promise<void>
  /** Asks; settles with the answer, false when it was dismissed. */
  confirm: (text: string, options?: ConfirmOptions) => Promise<boolean>
}

type Asked = Message & ConfirmOptions & { kind: 'alert' | 'confirm'; answer: (yes: boolean) => void }

const DialogsContext = createContext<Dialogs | null>(null)

/** Dialogs asked for at the same time follow one another. */
export function DialogsProvider({ children }: { children: ReactNode }) {
  // `last` is the one answered last, so that it still has its text while it fades.
  const [{ queue, last }, setState] = useState<{ queue: Asked[]; last: Asked | null }>({
    queue: [],
    last: null,
  })
  const api = useMemo<Dialogs>(() => {
    const ask = (asked: Omit<Asked, 'answer'>) =>
      new Promise<boolean>((answer) =>
        setState((now) => ({ ...now, queue: [...now.queue, { ...asked, answer }] })),
      )
    return {
      alert: async (text, reason) => {
        await ask({ kind: 'alert', text, reason })
      },
      confirm: (text, options) => ask({ kind: 'confirm', text, ...options }),
    }
  }, [])
  const first = queue[0]
  const settle = (yes: boolean) => {
    if (!first) return
    setState((now) => ({ queue: now.queue.filter((asked) => asked !== first), last: first }))
    first.answer(yes)
  }
  const shown = first ?? last
  return (
    <DialogsContext value={api}>
      {children}
      {shown?.kind === 'alert' && (
        <AlertDialog
          opened={first?.kind === 'alert'}
          text={shown.text}
          reason={shown.reason}
          onClose={() => settle(true)}
        />
      )}
      {shown?.kind === 'confirm' && (
        <ConfirmDialog {...shown} opened={first?.kind === 'confirm'} onAnswer={settle} />
      )}
    </DialogsContext>
  )
}

/** Alert and confirm as promises. */
export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext)
  if (!dialogs) throw new Error('useDialogs needs <UiProvider> above it')
  return dialogs
}
