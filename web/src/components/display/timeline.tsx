import type { ReactNode } from 'react'
import classes from './timeline.module.css'

export type TimelineEvent = {
  key: string
  title: ReactNode
  /** The second line: time and place. */
  note?: ReactNode
  /** A note by a person, not a state. */
  isRemark?: boolean
}

/** Events, newest first. The first event that is not a remark is the current state. */
export function Timeline({ label, events }: { label: string; events: readonly TimelineEvent[] }) {
  const currentEvent = events.find(({ isRemark }) => !isRemark)
  return (
    <ol className={classes.timeline} aria-label={label}>
      {events.map((event) => (
        <li
          key={event.key}
          aria-current={event === currentEvent ? 'step' : undefined}
          data-remark={event.isRemark || undefined}
        >
          <div className={classes.title}>{event.title}</div>
          {event.note !== undefined && <div className={classes.note}>{event.note}</div>}
        </li>
      ))}
    </ol>
  )
}

/** Amounts below each other, as in an account: names at the left, amounts at the right. A total has a line above it. */
export function Sums({
  label,
  sums,
}: {
  label: string
  sums: readonly { name: string; value: ReactNode; isTotal?: boolean }[]
}) {
  return (
    <dl className={classes.sums} aria-label={label}>
      {sums.map(({ name, value, isTotal }) => (
        <div key={name} className={classes.sum} data-total={isTotal || undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export type Fact = { name: string; value: ReactNode }

/** Names and values in two columns, for a detail. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
