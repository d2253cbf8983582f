import type { ColumnScale } from './chart.scale.ts'
import classes from './chart.module.css'

/** The most labels that fit into the width of a phone. */
const maxLabels = 8

type ColumnAxisProps = {
  labels: readonly string[]
  columns: ColumnScale
  labelClassName?: string
}

/** The labels below the columns of a chart, at most 8. The chart's text alternative and the table have all of them. */
export function ColumnAxis({ labels, columns, labelClassName }: ColumnAxisProps) {
  const labelStep = Math.ceil(labels.length / maxLabels)
  return (
    <div className={classes.axis} aria-hidden="true">
      {labels.map(
        (label, index) =>
          index % labelStep === 0 && (
            <span key={index} className={labelClassName} style={{ left: columns.getMiddleLeft(index) }}>
              {label}
            </span>
          ),
      )}
    </div>
  )
}
