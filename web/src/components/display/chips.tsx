import { useEffect, useRef } from 'react'
import { formatNumber } from '../../lib/format/number.format.ts'
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

/** Filter buttons with counts. One of them is selected. */
export function Chips({ label, chips, value, onChange }: ChipsProps) {
  const group = useRef<HTMLDivElement>(null)
  const selectedIndex = chips.findIndex((chip) => chip.value === value)
  useEffect(() => {
    const chip = group.current?.children[selectedIndex]
    if (!group.current || !chip) return
    for (const line of [group.current, group.current.parentElement]) if (line) scrollIntoLine(chip, line)
  }, [selectedIndex])
  return (
    <div ref={group} role="group" aria-label={label} className={classes.chips} data-filter>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          aria-pressed={chip.value === value}
          data-hot={chip.isUrgent || undefined}
          className={classes.chip}
          onClick={() => onChange(chip.value)}
        >
          {chip.label}
          {chip.count !== undefined && <b> {formatNumber(chip.count)}</b>}
        </button>
      ))}
    </div>
  )
}
