import { memo, type ReactNode, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { useLayer, useMountedFor } from './layer.hook.ts'
import classes from './modal.module.css'

/** Milliseconds of the panel's and the backdrop's transition (specification, section 9). */
const modalTransition = 300
const backdropTransition = 150

export type ModalProps = {
  opened: boolean
  /** Asked by Esc, the close button and a press on the backdrop. */
  onClose: () => void
  /** Names the dialog. Without it give `labelledBy`. */
  title?: string
  labelledBy?: string
  describedBy?: string
  role?: 'dialog' | 'alertdialog'
  /** Pixels; never wider than the screen. */
  width?: number
  /** Stays below the scrolling content. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * A modal layer above the page. Focus goes to `[data-autofocus]`, else to the first field, never to
 * Close, and returns to the opener.
 */
export function Modal(props: ModalProps) {
  const mounted = useMountedFor(props.opened, modalTransition)
  return mounted ? createPortal(<ModalLayer {...props} />, document.body) : null
}

// What was shown last stays while the panel fades, even when the page has let go of it.
const Held = memo(
  ({ children }: { still: boolean; children: ReactNode }) => children,
  (_before, { still }) => still,
)

function ModalLayer(props: ModalProps) {
  const { opened, onClose, title, labelledBy, describedBy, role = 'dialog', width = 520 } = props
  const texts = useUiTexts()
  const titleId = useId()
  const layer = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useLayer(opened, layer, panel, onClose)
  return (
    <div
      ref={layer}
      className={classes.layer}
      data-closing={!opened || undefined}
      style={{ '--modal-ms': `${modalTransition}ms`, '--veil-ms': `${backdropTransition}ms` }}
    >
      <div className={classes.veil} onPointerDown={onClose} />
      <div
        ref={panel}
        role={role}
        aria-modal="true"
        aria-labelledby={labelledBy ?? titleId}
        aria-describedby={describedBy}
        tabIndex={-1}
        className={classes.panel}
        style={{ width }}
      >
        <Held still={!opened}>
          {title !== undefined && (
            <div className={classes.head}>
              <h2 id={titleId} className={classes.title}>
                {title}
              </h2>
              <IconButton label={texts.close} onClick={onClose}>
                <CloseIcon />
              </IconButton>
            </div>
          )}
          <div className={classes.body} data-layer-body>
            {props.children}
          </div>
          {props.footer !== undefined && <div className={classes.foot}>{props.footer}</div>}
        </Held>
      </div>
    </div>
  )
}
