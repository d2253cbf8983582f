import { type ReactNode, useId, useRef, useState } from 'react'
import { LazyPart } from '../../components/lazy-part.tsx'
import buttonClasses from '../../components/actions/button.module.css'
import { Popup } from '../../components/overlay/popup.tsx'
import { useUiTexts } from '../../components/texts.ts'
import classes from './list-tools.module.css'

type PanelButtonProps = {
  /** What the panel is about: the start of the button's accessible name. */
  label: string
  /** Shown instead of the label, which is then the tooltip. */
  icon?: ReactNode
  /** The chosen value, shown instead of the label. */
  value?: ReactNode
  /** Fetches the code of the panel ahead. */
  preload: () => void
  /** The panel. It may be lazy. `close` returns the focus to the button. */
  renderPanel: (close: () => void) => ReactNode
}

/** A toolbar button of constant width that opens a panel. */
export function PanelButton({ label, icon, value, preload, renderPanel }: PanelButtonProps) {
  const texts = useUiTexts()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    setIsOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`${buttonClasses.button} ${classes.open}`}
        {...(icon !== undefined && { title: label, 'aria-label': label })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setIsOpen(!isOpen)}
      >
        {icon ?? (
          <span>
            {value !== undefined && <span className="visually-hidden">{label}: </span>}
            {value ?? label}
          </span>
        )}
      </button>
      {isOpen && (
        <Popup
          anchor={button}
          id={id}
          role="dialog"
          label={label}
          align="end"
          cover
          className={classes.popup}
          onClose={() => setIsOpen(false)}
          onEscape={close}
        >
          <LazyPart fallback={<p>{texts.loading}</p>}>
            <PanelContent renderPanel={renderPanel} onClose={close} />
          </LazyPart>
        </Popup>
      )}
    </>
  )
}

type PanelContentProps = Pick<PanelButtonProps, 'renderPanel'> & { onClose: () => void }

const PanelContent = ({ renderPanel, onClose }: PanelContentProps) => renderPanel(onClose)
