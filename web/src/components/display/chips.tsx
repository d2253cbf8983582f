import { useEffect, useRef } from 'react'
import { formatNumber } from '../../lib/format/number.format.ts'
import classes from './chips.module.css'

export type Chip = {
  value: string
  label: string
  count?: number
  /** Needs a person: its count stands out in saffron. */
  hot?: boolean
}

export type ChipsProps = {
  /** What the chips filter by; names the group. */
  label: string
  chips: readonly Chip[]
  value: string
  onChange: (value: string) => void
}

/** On phones chips are one line that scrolls, and the one that is on may lie beyond its ends. */
function reveal(chip: Element, line: Element): void {
  const { left, right } = chip.getBoundingClientRect()
  const box = line.getBoundingClientRect()
  line.scrollLeft += Math.max(0, right - box.right) - Math.max(0, box.left - left)
}

/** Filters with their counts, of which one is on. */
export function Chips({ label, chips, value, onChange }: ChipsProps) {
  const group = useRef<HTMLDivElement>(null)
  const at = chips.findIndex((chip) => chip.value === value)
  useEffect(() => {
    const chip = group.current?.children[at]
    if (!group.current || !chip) return
    for (const line of [group.current, group.current.parentElement]) if (line) reveal(chip, line)
  }, [at])
  return (
    <div ref={group} role="group" aria-label={label} className={classes.chips}>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          aria-pressed={chip.value === value}
          data-hot={chip.hot || undefined}
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
