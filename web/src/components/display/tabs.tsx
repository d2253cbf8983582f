import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import classes from './tabs.module.css'

export type Tab = { value: string; label: string }

export type TabsProps = {
  /** The name of the list of tabs. */
  label: string
  tabs: readonly Tab[]
  value: string
  onChange: (value: string) => void
  /** Called when the pointer or the focus comes to the tabs. */
  onNear?: () => void
  /** Follows the list of tabs. */
  aside?: ReactNode
  /** The panel of the selected tab. */
  children?: ReactNode
}

/** Tabs. Left, Right, Home and End move and select. Tab moves to the panel. */
export function Tabs({ label, tabs, value, onChange, onNear, aside, children }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // Where the tabs do not fit, the selected tab is scrolled to the middle.
  useLayoutEffect(() => {
    const row = list.current
    const selectedTab = document.getElementById(`${id}${value}`)
    if (!row || !selectedTab) return
    const tabBox = selectedTab.getBoundingClientRect()
    const rowBox = row.getBoundingClientRect()
    row.scrollLeft += tabBox.left + tabBox.width / 2 - (rowBox.left + rowBox.width / 2)
  }, [id, value])
  const onKeyDown = (event: React.KeyboardEvent) => {
    // Alt+Left is the browser's back.
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const selectedIndex = tabs.findIndex((tab) => tab.value === value)
    const targetIndexes: Record<string, number> = {
      ArrowRight: (selectedIndex + 1) % tabs.length,
      ArrowLeft: (selectedIndex - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const index = targetIndexes[event.key]
    const next = index === undefined ? undefined : tabs[index]
    if (!next || index === undefined) return
    event.preventDefault()
    onChange(next.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus()
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs hold the focus */}
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className={classes.tabs}
        onPointerEnter={onNear}
        onFocus={onNear}
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => {
          const isSelected = tab.value === value
          return (
            <button
              key={tab.value}
              id={`${id}${tab.value}`}
              type="button"
              role="tab"
              aria-selected={isSelected}
              aria-controls={isSelected && children !== undefined ? `${id}panel` : undefined}
              tabIndex={isSelected ? 0 : -1}
              className={classes.tab}
              onClick={() => onChange(tab.value)}
            >
              {tab.label}
            </button>
          )
        })}
      </div>
      {aside}
      {children !== undefined && (
        <div id={`${id}panel`} role="tabpanel" aria-labelledby={`${id}${value}`} className={classes.panel}>
          {children}
        </div>
      )}
    </>
  )
}
