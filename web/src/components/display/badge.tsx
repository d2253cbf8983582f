import type { ReactNode } from 'react'
import classes from './badge.module.css'

/** Colours of states, the same everywhere: done, on its way, in work, waiting, gone wrong, anything else. */
export type Tone = 'ok' | 'info' | 'work' | 'wait' | 'bad' | 'neutral'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
