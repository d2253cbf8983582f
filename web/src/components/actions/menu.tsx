import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Popup } from '../overlay/popup.tsx'
import buttonClasses from './button.module.css'
import { ChevronDownIcon } from './icons.tsx'
import classes from './menu.module.css'

export type MenuItem = {
  label: string
  icon?: ReactNode
  /** Makes the item a link. `onSelect` may prevent the default. */
  href?: string
  onSelect?: (event: React.MouseEvent) => void
  tone?: 'danger'
  /** For an item of a group of choices: whether it is the selected one. */
  checked?: boolean
  /** The language of the label, where it differs from the page's language. */
  lang?: string
}

/** A named group of items of which one is selected. */
export type MenuChoices = { label: string; choices: MenuItem[] }

export type MenuProps = {
  /** The name of the menu. It is the start of the button's accessible name. */
  label: string
  /** The content of the button. Without it the button shows the label. */
  children?: ReactNode
  /** Shown before the label. */
  icon?: ReactNode
  items: readonly (MenuItem | MenuChoices)[]
  /** Shown above the items, e.g. the signed-in person. */
  head?: ReactNode
  align?: 'start' | 'end'
  className?: string
}

/** A button that opens a menu. */
export function Menu({ label, children, icon, items, head, align = 'end', className }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setIsOpen(false)

  return (
    <>
      <button
        ref={button}
        type="button"
        className={[children ? classes.trigger : buttonClasses.button, className].filter(Boolean).join(' ')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        {icon}
        <span className={children ? 'visually-hidden' : undefined}>{label}</span>
        {children ?? <ChevronDownIcon size={15} />}
      </button>
      {isOpen && (
        <Popup anchor={button} align={align} onClose={close} className={classes.popup}>
          {head && <div className={classes.head}>{head}</div>}
          <MenuList
            id={id}
            label={label}
            items={items}
            onLeave={close}
            onDone={() => {
              close()
              button.current?.focus()
            }}
          />
        </Popup>
      )}
    </>
  )
}

interface MenuListProps {
  id: string
  label: string
  items: MenuProps['items']
  /** The focus leaves the list by Tab. */
  onLeave: () => void
  /** An item was selected, or Esc was pressed. */
  onDone: () => void
}

function getEntries(list: RefObject<HTMLElement | null>): HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
}

/** The open list. It takes the focus. Arrows, Home and End move the focus. */
function MenuList({ id, label, items, onLeave, onDone }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => getEntries(list)[0]?.focus(), [])

  const onKeyDown = (event: React.KeyboardEvent) => {
    const entries = getEntries(list)
    const index = entries.findIndex((entry) => entry === document.activeElement)
    const targetIndexes: Record<string, number> = {
      ArrowDown: (index + 1) % entries.length,
      ArrowUp: (index - 1 + entries.length) % entries.length,
      Home: 0,
      End: entries.length - 1,
    }
    const targetIndex = targetIndexes[event.key]
    if (targetIndex !== undefined) {
      event.preventDefault()
      entries[targetIndex]?.focus()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      onDone()
    } else if (event.key === 'Tab') onLeave()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items hold the focus
    <div ref={list} id={id} role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item) =>
        'choices' in item ? (
          <div key={item.label} role="group" aria-label={item.label} className={classes.choices}>
            <div className={classes.label} aria-hidden="true">
              {item.label}
            </div>
            {item.choices.map((choice) => (
              <Entry key={choice.label} item={choice} onDone={onDone} />
            ))}
          </div>
        ) : (
          <Entry key={item.label} item={item} onDone={onDone} />
        ),
      )}
    </div>
  )
}

function Entry({ item, onDone }: { item: MenuItem; onDone: () => void }) {
  const select = (event: React.MouseEvent) => {
    onDone()
    item.onSelect?.(event)
  }
  const sharedProps = {
    role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': item.checked,
    lang: item.lang,
    tabIndex: -1,
    className: classes.item,
    'data-tone': item.tone,
    onClick: select,
  }
  const content = (
    <>
      {item.icon}
      {item.label}
    </>
  )
  return item.href === undefined ? (
    <button type="button" {...sharedProps}>
      {content}
    </button>
  ) : (
    <a href={item.href} {...sharedProps}>
      {content}
    </a>
  )
}
