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

type StatusBadgeProps = {
  status: string
  tones: Readonly<Record<string, Tone>>
  names: Readonly<Record<string, string>>
}

/** A status with its colour. A newer host may answer a status that has neither name nor colour here. */
export function StatusBadge({ status, tones, names }: StatusBadgeProps) {
  return <Badge tone={tones[status] ?? 'neutral'}>{names[status] ?? status}</Badge>
}
