import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Popup } from '../overlay/popup.tsx'
import buttonClasses from './button.module.css'
import { ChevronDownIcon } from './icons.tsx'
import classes from './menu.module.css'

export type MenuItem = {
  label: string
  icon?: ReactNode
  /** A link when given (a real one: it can be opened in another tab); `onSelect` may then prevent the default. */
  href?: string
  onSelect?: (event: React.MouseEvent) => void
  tone?: 'danger'
  /** For one of a group of choices: whether it is the one. */
  checked?: boolean
  /** The language of the label, where it is not the page's. */
  lang?: string
}

/** Items of which one is checked, under a name of their own. */
export type MenuChoices = { label: string; choices: MenuItem[] }

export type MenuProps = {
  /** Names the menu, and stands before what the button shows in its accessible name. */
  label: string
  /** What the button shows; without it the label, as any other button. */
  children?: ReactNode
  /** Before the label. */
  icon?: ReactNode
  items: readonly (MenuItem | MenuChoices)[]
  /** Stands above the items, e.g. who is signed in. */
  head?: ReactNode
  align?: 'start' | 'end'
  className?: string
}

function entriesOf(popup: RefObject<HTMLElement | null>): HTMLElement[] {
  return [...(popup.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
}

/** A button that opens a menu: arrows, Home and End move, Esc closes and returns the focus. */
export function Menu({ label, children, icon, items, head, align = 'end', className }: MenuProps) {
  const [opened, setOpened] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (opened) entriesOf(popup)[0]?.focus()
  }, [opened])

  const close = (refocus: boolean) => {
    setOpened(false)
    if (refocus) button.current?.focus()
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    const all = entriesOf(popup)
    const at = all.findIndex((entry) => entry === document.activeElement)
    const move: Record<string, number> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }
    const to = move[event.key]
    if (to !== undefined) {
      event.preventDefault()
      all[to]?.focus()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      close(true)
    } else if (event.key === 'Tab') setOpened(false)
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={[children ? classes.trigger : buttonClasses.button, className].filter(Boolean).join(' ')}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        onClick={() => setOpened(!opened)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpened(true)
        }}
      >
        {icon}
        <span className={children ? 'visually-hidden' : undefined}>{label}</span>
        {children ?? <ChevronDownIcon size={15} />}
      </button>
      {opened && (
        <Popup
          anchor={button}
          ref={popup}
          align={align}
          onClose={() => close(false)}
          className={classes.popup}
        >
          {head && <div className={classes.head}>{head}</div>}
          {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items hold the focus */}
          <div id={id} role="menu" aria-label={label} onKeyDown={onKeyDown}>
            {items.map((item) =>
              'choices' in item ? (
                <div key={item.label} role="group" aria-label={item.label} className={classes.choices}>
                  <div className={classes.label} aria-hidden="true">
                    {item.label}
                  </div>
                  {item.choices.map((choice) => (
                    <Entry key={choice.label} item={choice} onDone={() => close(true)} />
                  ))}
                </div>
              ) : (
                <Entry key={item.label} item={item} onDone={() => close(true)} />
              ),
            )}
          </div>
        </Popup>
      )}
    </>
  )
}

function Entry({ item, onDone }: { item: MenuItem; onDone: () => void }) {
  const select = (event: React.MouseEvent) => {
    onDone()
    item.onSelect?.(event)
  }
  const shared = {
    role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': item.checked,
    lang: item.lang,
    tabIndex: -1,
    className: classes.item,
    'data-tone': item.tone,
    onClick: select,
  }
  const inside = (
    <>
      {item.icon}
      {item.label}
    </>
  )
  return item.href === undefined ? (
    <button type="button" {...shared}>
      {inside}
    </button>
  ) : (
    <a href={item.href} {...shared}>
      {inside}
    </a>
  )
}
