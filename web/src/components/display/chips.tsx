import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format/number.format.ts'
import { moveInRow } from '../arrow-keys.ts'
import classes from './chips.module.css'

export type Chip = {
  value: string
  label: string
  count?: number
  /** Highlights the count, because the items need a person. */
  isUrgent?: boolean
}

export type ChipsProps = {
  /** The name of the group: what the chips filter by. */
  label: string
  chips: readonly Chip[]
  value: string
  onChange: (value: string) => void
}

/** On phones the chips are one line that scrolls. Scrolls the selected chip into view. */
function scrollIntoLine(chip: Element, line: Element): void {
  const { left, right } = chip.getBoundingClientRect()
  const box = line.getBoundingClientRect()
  line.scrollLeft += Math.max(0, right - box.right) - Math.max(0, box.left - left)
}

/**
 * Filter buttons with counts. One of them is selected. Several chips are one Tab stop: Left, Right, Home and End move the
 * focus, Space and Enter select.
 */
export function Chips({ label, chips, value, onChange }: ChipsProps) {
  const group = useRef<HTMLDivElement>(null)
  const selectedIndex = chips.findIndex((chip) => chip.value === value)
  useEffect(() => {
    const chip = group.current?.children[selectedIndex]
    if (!group.current || !chip) return
    for (const line of [group.current, group.current.parentElement]) if (line) scrollIntoLine(chip, line)
  }, [selectedIndex])
  // Tab comes back to the selected chip, so the focused one counts only while the focus is inside.
  const [focusedValue, setFocusedValue] = useState<string | null>(null)
  const focusedIndex = chips.findIndex((chip) => chip.value === focusedValue)
  const tabStop = Math.max(0, focusedIndex === -1 ? selectedIndex : focusedIndex)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const index = moveInRow(event, tabStop, chips.length)
    if (index === null) return
    event.preventDefault()
    group.current?.querySelectorAll('button')[index]?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its chips hold the focus
    <div
      ref={group}
      role={chips.length > 1 ? 'toolbar' : 'group'}
      aria-label={label}
      className={classes.chips}
      onKeyDown={onKeyDown}
      onBlur={() => setFocusedValue(null)}
    >
      {chips.map((chip, index) => (
        <button
          key={chip.value}
          type="button"
          aria-pressed={chip.value === value}
          data-hot={chip.isUrgent || undefined}
          tabIndex={index === tabStop ? 0 : -1}
          className={classes.chip}
          onFocus={() => setFocusedValue(chip.value)}
          onClick={() => onChange(chip.value)}
        >
          {chip.label}
          {chip.count !== undefined && <b> {formatNumber(chip.count)}</b>}
        </button>
      ))}
    </div>
  )
}
