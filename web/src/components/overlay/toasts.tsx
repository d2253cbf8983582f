import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../actions/button.tsx'
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { aboveLayersAttribute } from './layer.store.ts'
import classes from './toasts.module.css'

/** Milliseconds for which a toast is visible (specification, section 9). */
const toastDurationMs = 5000

export type Toast = { title: string; text?: string; tone?: 'success' | 'danger' }

/** A running task: its name, and the label of its button where it has one. */
export type ToastTask = { title: string; action?: string; onAction?: () => void }

/** Shows the progress of a task until it ends. */
export type ProgressToast = {
  /** The progress in words, and as a fraction from 0 to 1 where it is known. */
  update: (text: string, fraction?: number) => void
  /** Removes the toast. Show the result in another toast. */
  end: () => void
}

export type Toasts = {
  show: (toast: Toast) => void
  /** Shows a toast for a running task. It stays on all pages. */
  showProgress: (task: ToastTask) => ProgressToast
}

type ToastState = Toast & { id: number; task?: ToastTask; fraction?: number | undefined }

const ToastsContext = createContext<Toasts | null>(null)

const maxToasts = 4
const keepNewest = (states: ToastState[]) =>
  states.filter(({ task }, index) => task || index >= states.length - maxToasts)

const omitToast = (id: number) => (states: ToastState[]) => states.filter((toast) => toast.id !== id)

/** Shows toasts at the bottom right. Of too many the oldest is removed, unless its task still runs. */
export function ToastsProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ToastState[]>([])
  const next = useRef(0)
  const texts = useUiTexts()
  const api = useMemo<Toasts>(() => {
    const add = (toast: Omit<ToastState, 'id'>) => {
      next.current += 1
      const id = next.current
      setToasts((states) => keepNewest([...states, { ...toast, id }]))
      return id
    }
    return {
      show: add,
      showProgress: (task) => {
        const id = add({ title: task.title, task })
        return {
          update: (text, fraction) =>
            setToasts((states) =>
              states.map((toast) => (toast.id === id ? { ...toast, text, fraction } : toast)),
            ),
          end: () => setToasts(omitToast(id)),
        }
      },
    }
  }, [])
  return (
    <ToastsContext value={api}>
      {children}
      {createPortal(
        <section
          className={classes.region}
          aria-label={texts.notifications}
          {...{ [aboveLayersAttribute]: '' }}
        >
          {toasts.map((toast) => (
            <ToastCard key={toast.id} toast={toast} onClose={() => setToasts(omitToast(toast.id))} />
          ))}
        </section>,
        document.body,
      )}
    </ToastsContext>
  )
}

/** Closes a toast after its time. A pause does not count. */
function useClosingTimer({ isPaused, onClose }: { isPaused: boolean; onClose: () => void }): void {
  const remainingMs = useRef(toastDurationMs)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isPaused) return
    const startedAt = performance.now()
    const timer = setTimeout(() => close(), remainingMs.current)
    return () => {
      clearTimeout(timer)
      remainingMs.current -= performance.now() - startedAt
    }
  }, [isPaused])
}

function ToastCard({ toast, onClose }: { toast: ToastState; onClose: () => void }) {
  const texts = useUiTexts()
  const [pausedBy, setPausedBy] = useState({ hover: false, focus: false })
  const previousFocus = useRef<EventTarget | null>(null)
  const { task } = toast
  useClosingTimer({ isPaused: task !== undefined || pausedBy.hover || pausedBy.focus, onClose })
  // The button disappears with the focus. The focus returns to where it was before.
  const restoreFocus = () => {
    if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus()
  }
  const onRemove = useEffectEvent(() => {
    if (pausedBy.focus) restoreFocus()
  })
  useEffect(() => () => onRemove(), [])
  const danger = toast.tone === 'danger'
  return (
    <div
      className={classes.toast}
      data-tone={task ? 'work' : (toast.tone ?? 'success')}
      onMouseEnter={() => setPausedBy((current) => ({ ...current, hover: true }))}
      onMouseLeave={() => setPausedBy((current) => ({ ...current, hover: false }))}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget
        setPausedBy((current) => ({ ...current, focus: true }))
      }}
      onBlur={() => setPausedBy((current) => ({ ...current, focus: false }))}
    >
      <div className={classes.words}>
        <div role={danger ? 'alert' : 'status'}>
          <strong>{toast.title}</strong>
          {!task && toast.text && <p>{toast.text}</p>}
        </div>
        {task && (
          // Not in the status: screen readers would announce every update.
          <>
            <p>{toast.text ?? '\u00a0'}</p>
            <progress aria-label={toast.title} value={toast.fraction} />
          </>
        )}
      </div>
      {task?.action !== undefined && (
        <Button
          tone="ghost"
          onClick={() => {
            restoreFocus()
            task.onAction?.()
          }}
        >
          {task.action}
        </Button>
      )}
      {!task && (
        <IconButton
          label={texts.close}
          onClick={() => {
            restoreFocus()
            onClose()
          }}
        >
          <CloseIcon size={17} />
        </IconButton>
      )}
    </div>
  )
}

/** Shows toasts, which close by themselves. */
export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext)
  if (!toasts) throw new Error('useToasts needs <UiProvider> above it')
  return toasts
}
