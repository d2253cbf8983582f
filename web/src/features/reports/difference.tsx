import classes from './difference.module.css'
import { formatDifference } from './report.format.ts'

/** A difference of amounts. It is coloured when it is not zero. */
export function Difference({ value }: { value: number | null | undefined }) {
  return (
    <span className={classes.difference} data-off={value || undefined}>
      {formatDifference(value)}
    </span>
  )
}
