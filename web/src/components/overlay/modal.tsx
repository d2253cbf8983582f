import { createContext, memo, type ReactNode, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { useLayer, useOpeningNumber } from './layer.hook.ts'
import { savingAttribute, typedMark } from './layer.store.ts'
import classes from './modal.module.css'

/** Milliseconds of the panel's and the backdrop's transition (specification, section 9). */
const modalTransitionMs = 300
const backdropTransitionMs = 150

export type ModalProps = {
  opened: boolean
  /**
   * Called by Esc, the close button, and a press on the backdrop unless a form was typed into. Not called while a call
   * that the dialog started runs.
   */
  onClose: () => void
  /** The name of the dialog. Without it give `labelledBy`. */
  title?: string
  labelledBy?: string
  describedBy?: string
  role?: 'dialog' | 'alertdialog'
  /** The width in pixels at the browser's default font size, at most the width of the screen. */
  width?: number
  /** Shown below the scrolling content. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * A modal layer above the page. The focus goes to `[data-autofocus]`, else to the first field, never to
 * Close. On closing the focus returns to the opener.
 */
export function Modal(props: ModalProps) {
  const opening = useOpeningNumber(props.opened, modalTransitionMs)
  // A modal that opens again while it still fades starts afresh.
  return opening === null ? null : createPortal(<ModalLayer key={opening} {...props} />, document.body)
}

/** Whether the dialog around a component fades, and keeps its last content. */
export const ClosingContext = createContext(false)

// The last content stays visible while the panel fades, even when the page has removed it.
const FrozenWhileClosing = memo(
  ({ children }: { isClosing: boolean; children: ReactNode }) => children,
  (_before, { isClosing: still }) => still,
)

function ModalLayer(props: ModalProps) {
  const { opened, title, labelledBy, describedBy, role = 'dialog', width = 520 } = props
  const texts = useUiTexts()
  const titleId = useId()
  const layer = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const isTypedInto = useRef(false)
  const close = () => {
    if (!panel.current?.querySelector(`[${savingAttribute}]`)) props.onClose()
  }
  useLayer(opened, { layer, panel, onEscape: close })
  return (
    <div
      ref={layer}
      className={classes.layer}
      data-closing={!opened || undefined}
      style={{ '--modal-ms': `${modalTransitionMs}ms`, '--veil-ms': `${backdropTransitionMs}ms` }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a press keeps the focus in the dialog */}
      <div
        className={classes.veil}
        onMouseDown={(event) => {
          event.preventDefault()
          // A press beside the dialog is often unintended, and the typed input would be lost.
          if (!isTypedInto.current && !panel.current?.querySelector(`[${typedMark}]`)) close()
        }}
      />
      <div
        ref={panel}
        role={role}
        aria-modal="true"
        aria-labelledby={labelledBy ?? titleId}
        aria-describedby={describedBy}
        tabIndex={-1}
        className={classes.panel}
        style={{ width: `${width / 10}rem` }}
        onInput={({ target }) => {
          isTypedInto.current ||= target instanceof Element && target.closest('form') !== null
        }}
      >
        <ClosingContext value={!opened}>
          <FrozenWhileClosing isClosing={!opened}>
            {title !== undefined && (
              <div className={classes.head}>
                <h2 id={titleId} className={classes.title}>
                  {title}
                </h2>
                <IconButton label={texts.close} onClick={close}>
                  <CloseIcon />
                </IconButton>
              </div>
            )}
            <div className={classes.body} data-layer-body>
              {props.children}
            </div>
            {props.footer !== undefined && <div className={classes.foot}>{props.footer}</div>}
          </FrozenWhileClosing>
        </ClosingContext>
      </div>
    </div>
  )
}
