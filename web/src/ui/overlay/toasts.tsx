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
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { aboveLayers } from './layer.store.ts'
import classes from './toasts.module.css'

/** Milliseconds that a toast stays (specification, section 9). */
const toastTime = 5000

export type Toast = { title: string; text?: string; tone?: 'success' | 'danger' }
export type Toasts = { show: (toast: Toast) => void }

type Shown = Toast & { id: number }

const ToastsContext = createContext<Toasts | null>(null)

/** The newest toasts, at the bottom right; the oldest goes when there are more. */
const most = 4

export function ToastsProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Shown[]>([])
  const next = useRef(0)
  const texts = useUiTexts()
  const api = useMemo<Toasts>(
    () => ({
      show: (toast) => {
        next.current += 1
        const shown = { ...toast, id: next.current }
        setToasts((all) => [...all, shown].slice(-most))
      },
    }),
    [],
  )
  return (
    <ToastsContext value={api}>
      {children}
      {createPortal(
        <section className={classes.region} aria-label={texts.notifications} {...{ [aboveLayers]: '' }}>
          {toasts.map((toast) => (
            <ToastCard
              key={toast.id}
              toast={toast}
              onClose={() => setToasts((all) => all.filter(({ id }) => id !== toast.id))}
            />
          ))}
        </section>,
        document.body,
      )}
    </ToastsContext>
  )
}

function ToastCard({ toast, onClose }: { toast: Shown; onClose: () => void }) {
  const texts = useUiTexts()
  const [held, setHeld] = useState({ hover: false, focus: false })
  const left = useRef(toastTime)
  const close = useEffectEvent(onClose)
  const waiting = held.hover || held.focus
  useEffect(() => {
    if (waiting) return
    const since = performance.now()
    const timer = setTimeout(() => close(), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= performance.now() - since
    }
  }, [waiting])
  const danger = toast.tone === 'danger'
  return (
    <div
      className={classes.toast}
      data-tone={toast.tone ?? 'success'}
      onMouseEnter={() => setHeld((now) => ({ ...now, hover: true }))}
      onMouseLeave={() => setHeld((now) => ({ ...now, hover: false }))}
      onFocus={() => setHeld((now) => ({ ...now, focus: true }))}
      onBlur={() => setHeld((now) => ({ ...now, focus: false }))}
    >
      <div role={danger ? 'alert' : 'status'} className={classes.words}>
        <strong>{toast.title}</strong>
        {toast.text && <p>{toast.text}</p>}
      </div>
      <IconButton label={texts.close} onClick={onClose}>
        <CloseIcon size={17} />
      </IconButton>
    </div>
  )
}

/** Shows toasts, which close by themselves. */
export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext)
  if (!toasts) throw new Error('useToasts needs <UiProvider> above it')
  return toasts
}
