import classes from './chart.module.css'
import { formatFigure } from '../../lib/format/money.format.ts'

type ValueAxisProps = {
  label: string
  ticks: readonly number[]
  side: 'left' | 'right'
  /** The distance of a tick from the top of the chart, as a CSS length. */
  getTop: (tick: number) => string
}

/** The labels of a value axis, beside the plot. The chart's text alternative and the table have the figures. */
export function ValueAxis({ label, ticks, side, getTop }: ValueAxisProps) {
  return (
    <div className={classes.values} data-side={side} aria-hidden="true">
      <span className={classes.axisLabel}>{label}</span>
      {ticks.map((tick) => (
        <span key={tick} className={classes.tick} style={{ top: getTop(tick) }}>
          {formatFigure(tick)}
        </span>
      ))}
    </div>
  )
}
