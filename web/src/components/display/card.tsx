import type { ReactNode } from 'react'
import classes from './card.module.css'

export type CardProps = {
  /** Gives it a heading and makes it a named region. */
  title?: string
  /** Beside the heading: a badge, a close button. */
  aside?: ReactNode
  /** Room around the content; true by default. */
  padded?: boolean
  className?: string
  children: ReactNode
}

export function Card({ title, aside, padded = true, className, children }: CardProps) {
  const names = className ? `${classes.card} ${className}` : classes.card
  const inside = (
    <>
      {title !== undefined && (
        <header className={classes.head}>
          <h2 className={classes.title}>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </>
  )
  return title === undefined ? (
    <div className={names} data-padded={padded || undefined}>
      {inside}
    </div>
  ) : (
    <section className={names} data-padded={padded || undefined} aria-label={title}>
      {inside}
    </section>
  )
}
