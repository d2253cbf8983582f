import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import classes from './tabs.module.css'

export type Tab = { value: string; label: string }

export type TabsProps = {
  /** Names the list of tabs. */
  label: string
  tabs: readonly Tab[]
  value: string
  onChange: (value: string) => void
  /** The panel of the chosen tab. */
  children?: ReactNode
}

/** Tabs: Left, Right, Home and End move and choose; Tab goes on to the panel. */
export function Tabs({ label, tabs, value, onChange, children }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // Where they do not all fit, the chosen one is in the middle.
  useLayoutEffect(() => {
    const row = list.current
    const chosen = document.getElementById(`${id}${value}`)
    if (!row || !chosen) return
    const at = chosen.getBoundingClientRect()
    const within = row.getBoundingClientRect()
    row.scrollLeft += at.left + at.width / 2 - (within.left + within.width / 2)
  }, [id, value])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value)
    const to: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const index = to[event.key]
    const next = index === undefined ? undefined : tabs[index]
    if (!next || index === undefined) return
    event.preventDefault()
    onChange(next.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus()
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs hold the focus */}
      <div ref={list} role="tablist" aria-label={label} className={classes.tabs} onKeyDown={onKeyDown}>
        {tabs.map((tab) => {
          const on = tab.value === value
          return (
            <button
              key={tab.value}
              id={`${id}${tab.value}`}
              type="button"
              role="tab"
              aria-selected={on}
              aria-controls={on && children !== undefined ? `${id}panel` : undefined}
              tabIndex={on ? 0 : -1}
              className={classes.tab}
              onClick={() => onChange(tab.value)}
            >
              {tab.label}
            </button>
          )
        })}
      </div>
      {children !== undefined && (
        <div id={`${id}panel`} role="tabpanel" aria-labelledby={`${id}${value}`} className={classes.panel}>
          {children}
        </div>
      )}
    </>
  )
}
