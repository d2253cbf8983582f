import type { ReactNode } from 'react'
import classes from './kpi.module.css'
import { Skeleton } from './skeleton.tsx'

export type KpiProps = {
  label: string
  /** Formatted text, e.g. `3 874` or `58,1%`, or a link with it. Undefined while it loads. */
  value: ReactNode
  /** The change since the previous period, e.g. `+8.4%`. */
  change?: string | undefined
  /** Whether the change is good. Neutral when absent. */
  isGood?: boolean | undefined
}

/** One of the figures above a report. */
function Kpi({ label, value, change, isGood }: KpiProps) {
  return (
    <div className={classes.kpi}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>
        {value === undefined ? <Skeleton width="60%" height={22} /> : value}
        {change && (
          <em data-good={isGood} className={classes.change}>
            {change}
          </em>
        )}
      </dd>
    </div>
  )
}

/** Up to five figures in a row, two in a row on narrow screens. */
export function KpiRow({ label, items }: { label: string; items: readonly KpiProps[] }) {
  return (
    <dl className={classes.row} aria-label={label}>
      {items.map((item) => (
        <Kpi key={item.label} {...item} />
      ))}
    </dl>
  )
}
