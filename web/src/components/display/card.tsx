import type { ReactNode } from 'react'
import classes from './card.module.css'

export type CardProps = {
  /** Adds a heading and makes the card a named region. */
  title?: string
  /** Shown beside the heading: a badge, a close button. */
  aside?: ReactNode
  /** Adds space around the content. Default true. */
  padded?: boolean
  className?: string
  children: ReactNode
}

export function Card({ title, aside, padded = true, className, children }: CardProps) {
  const cardClass = className ? `${classes.card} ${className}` : classes.card
  const content = (
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
    <div className={cardClass} data-padded={padded || undefined}>
      {content}
    </div>
  ) : (
    <section className={cardClass} data-padded={padded || undefined} aria-label={title}>
      {content}
    </section>
  )
}
