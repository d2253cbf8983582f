import type { ReactNode } from 'react'
import classes from './badge.module.css'

/** The colours of states: success, under way, in work, waiting, failed, anything else. */
export type Tone = 'ok' | 'info' | 'work' | 'wait' | 'bad' | 'neutral'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
