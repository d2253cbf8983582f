import type { ReactNode } from 'react'
import classes from './timeline.module.css'

export type TimelineEvent = {
  key: string
  title: ReactNode
  /** The second line: when and where. */
  note?: ReactNode
  /** Said of it by a person; no state. */
  remark?: boolean
}

/** Events, the newest first; the first one that is no remark is the state now. */
export function Timeline({ label, events }: { label: string; events: readonly TimelineEvent[] }) {
  const now = events.find(({ remark }) => !remark)
  return (
    <ol className={classes.timeline} aria-label={label}>
      {events.map((event) => (
        <li
          key={event.key}
          aria-current={event === now ? 'step' : undefined}
          data-remark={event.remark || undefined}
        >
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
