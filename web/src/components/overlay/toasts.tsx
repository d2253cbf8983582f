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
import { aboveLayers } from './layer.store.ts'
import classes from './toasts.module.css'

/** Milliseconds that a toast stays (specification, section 9). */
const toastTime = 5000

export type Toast = { title: string; text?: string; tone?: 'success' | 'danger' }

/** Something under way: what it is, and what its button asks for where it has one. */
export type Work = { title: string; action?: string; onAction?: () => void }

/** Tells of something under way until it ends. */
export type WorkToast = {
  /** How far it is in words, and from 0 to 1 where that is known. */
  say: (text: string, part?: number) => void
  /** Takes the toast away; say how it went with another. */
  end: () => void
}

export type Toasts = {
  show: (toast: Toast) => void
  /** A toast that stays while something goes on, whatever page is shown. */
  work: (work: Work) => WorkToast
}

type Shown = Toast & { id: number; work?: Work; part?: number | undefined }

const ToastsContext = createContext<Toasts | null>(null)

/** The newest toasts, at the bottom right; the oldest goes when there are more, unless its work goes on. */
const most = 4
const newest = (all: Shown[]) => all.filter(({ work }, index) => work || index >= all.length - most)

export function ToastsProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Shown[]>([])
  const next = useRef(0)
  const texts = useUiTexts()
  const api = useMemo<Toasts>(() => {
    const add = (toast: Omit<Shown, 'id'>) => {
      next.current += 1
      const id = next.current
      setToasts((all) => newest([...all, { ...toast, id }]))
      return id
    }
    return {
      show: add,
      work: (work) => {
        const id = add({ title: work.title, work })
        return {
          say: (text, part) =>
            setToasts((all) => all.map((toast) => (toast.id === id ? { ...toast, text, part } : toast))),
          end: () => setToasts((all) => all.filter((toast) => toast.id !== id)),
        }
      },
    }
  }, [])
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
  const before = useRef<EventTarget | null>(null)
  const close = useEffectEvent(onClose)
  const { work } = toast
  const waiting = work !== undefined || held.hover || held.focus
  // It is about to go, and the focus with it: back to where it came from.
  const giveBack = () => {
    if (before.current instanceof HTMLElement) before.current.focus()
  }
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
      data-tone={work ? 'work' : (toast.tone ?? 'success')}
      onMouseEnter={() => setHeld((now) => ({ ...now, hover: true }))}
      onMouseLeave={() => setHeld((now) => ({ ...now, hover: false }))}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget
        setHeld((now) => ({ ...now, focus: true }))
      }}
      onBlur={() => setHeld((now) => ({ ...now, focus: false }))}
    >
      <div className={classes.words}>
        <div role={danger ? 'alert' : 'status'}>
          <strong>{toast.title}</strong>
          {!work && toast.text && <p>{toast.text}</p>}
        </div>
        {work && (
          // Not in the status: nobody wants to hear every piece that arrives.
          <>
            <p>{toast.text ?? '\u00a0'}</p>
            <progress aria-label={toast.title} value={toast.part} />
          </>
        )}
      </div>
      {work?.action !== undefined && (
        <Button
          tone="ghost"
          onClick={() => {
            giveBack()
            work.onAction?.()
          }}
        >
          {work.action}
        </Button>
      )}
      {!work && (
        <IconButton
          label={texts.close}
          onClick={() => {
            giveBack()
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
