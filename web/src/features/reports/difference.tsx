import classes from './difference.module.css'
import { formatFigure } from '../../lib/format/money.format.ts'

/** A difference of amounts. It is coloured when it is not zero. */
export function Difference({ value }: { value: number | null | undefined }) {
  return (
    <span className={classes.difference} data-off={value || undefined}>
      {formatDifference(value)}
    </span>
  )
}

/** A difference with its sign: `+99.5`, `−1 284`, `0`. A dash when there is nothing to compare. */
function formatDifference(value: number | null | undefined): string {
  if (typeof value !== 'number' || value === 0) return formatFigure(value)
  return `${value < 0 ? '−' : '+'}${formatFigure(Math.abs(value))}`
}
