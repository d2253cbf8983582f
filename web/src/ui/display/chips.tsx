import { formatNumber } from '../format/number.format.ts'
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

/** Filters with their counts, of which one is on. */
export function Chips({ label, chips, value, onChange }: ChipsProps) {
  return (
    <div role="group" aria-label={label} className={classes.chips}>
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
