import type { ReactNode } from 'react'
import classes from './timeline.module.css'

export type TimelineEvent = {
  key: string
  title: ReactNode
  /** The second line: when and where. */
  note?: ReactNode
}

/** Events, the newest first; the first one is the state now. */
export function Timeline({ label, events }: { label: string; events: readonly TimelineEvent[] }) {
  return (
    <ol className={classes.timeline} aria-label={label}>
      {events.map((event, index) => (
        <li key={event.key} aria-current={index === 0 ? 'step' : undefined}>
          <div className={classes.title}>{event.title}</div>
          {event.note !== undefined && <div className={classes.note}>{event.note}</div>}
        </li>
      ))}
    </ol>
  )
}

/** Names and values in two columns, as in a detail beside a list. */
export function Facts({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
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
