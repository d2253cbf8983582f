import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react'
import { getSession, subscribeToSession } from '../../lib/session.store.ts'
import { Button } from '../actions/button.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './dialogs.module.css'
import { Modal } from './modal.tsx'

type Message = {
  text: string
  /** Shown below the text in a quieter style. */
  reason?: string | undefined
}

/** A message. Its button or Esc closes it. */
export function AlertDialog({
  opened,
  onClose,
  ...message
}: Message & { opened: boolean; onClose: () => void }) {
  const texts = useUiTexts()
  return (
    <MessageDialog opened={opened} onClose={onClose} {...message}>
      <Button tone="primary" data-autofocus onClick={onClose}>
        {texts.ok}
      </Button>
    </MessageDialog>
  )
}

export type ConfirmOptions = {
  confirmLabel?: string
  cancelLabel?: string
  danger?: boolean
  reason?: string
}

/** A question. Esc and Cancel answer no. The focus starts on Cancel. */
function ConfirmDialog(
  props: Message & ConfirmOptions & { opened: boolean; onAnswer: (yes: boolean) => void },
) {
  const { opened, onAnswer, confirmLabel, cancelLabel, danger = false, text, reason } = props
  const texts = useUiTexts()
  return (
    <MessageDialog opened={opened} onClose={() => onAnswer(false)} text={text} reason={reason}>
      <Button data-autofocus onClick={() => onAnswer(false)}>
        {cancelLabel ?? texts.cancel}
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
  /** Shows a message. Resolves when it is closed. */
  alert: (text: string, reason?: string) => Promise<void>
  /** Asks a question. Resolves with the answer, false when it was dismissed. */
  confirm: (text: string, options?: ConfirmOptions) => Promise<boolean>
}

type OpenDialog = Message & ConfirmOptions & { kind: 'alert' | 'confirm'; answer: (yes: boolean) => void }

const DialogsContext = createContext<Dialogs | null>(null)

/**
 * Shows alerts and confirms of the current session. Several at the same time follow one another. Without a session nothing
 * opens, because a failure that ended the session leads to the sign-in page.
 */
export function DialogsProvider({ children }: { children: ReactNode }) {
  // `last` is the last answered dialog. It keeps its text while it fades.
  const [{ queue, last }, setState] = useState<{ queue: OpenDialog[]; last: OpenDialog | null }>({
    queue: [],
    last: null,
  })
  const api = useMemo<Dialogs>(() => {
    const openDialog = (dialog: Omit<OpenDialog, 'answer'>) =>
      new Promise<boolean>((answer) => {
        if (getSession() === null) answer(false)
        else setState((state) => ({ ...state, queue: [...state.queue, { ...dialog, answer }] }))
      })
    return {
      alert: async (text, reason) => {
        await openDialog({ kind: 'alert', text, reason })
      },
      confirm: (text, options) => openDialog({ kind: 'confirm', text, ...options }),
    }
  }, [])
  // A dialog of one session must not stay open in another, nor over the sign-in page.
  useEffect(() => {
    let token = getSession()?.token
    return subscribeToSession(() => {
      if (getSession()?.token === token) return
      token = getSession()?.token
      setState((state) => {
        for (const { answer } of state.queue) answer(false)
        return { queue: [], last: state.queue[0] ?? state.last }
      })
    })
  }, [])
  const currentDialog = queue[0]
  const settle = (yes: boolean) => {
    if (!currentDialog) return
    setState((state) => ({
      queue: state.queue.filter((dialog) => dialog !== currentDialog),
      last: currentDialog,
    }))
    currentDialog.answer(yes)
  }
  const visibleDialog = currentDialog ?? last
  return (
    <DialogsContext value={api}>
      {children}
      {visibleDialog?.kind === 'alert' && (
        <AlertDialog
          opened={currentDialog?.kind === 'alert'}
          text={visibleDialog.text}
          reason={visibleDialog.reason}
          onClose={() => settle(true)}
        />
      )}
      {visibleDialog?.kind === 'confirm' && (
        <ConfirmDialog {...visibleDialog} opened={currentDialog?.kind === 'confirm'} onAnswer={settle} />
      )}
    </DialogsContext>
  )
}

/** Alert and confirm as promises. */
export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext)
  if (!dialogs) throw new Error('useDialogs needs <DialogsProvider> above it')
  return dialogs
}
