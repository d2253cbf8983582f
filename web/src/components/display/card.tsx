import type { ReactNode } from 'react'
import classes from './card.module.css'

export type CardProps = {
  /** Adds a heading and makes the card a named region. */
  title?: string
  /** Shown beside the heading: a badge, a close button. */
  aside?: ReactNode
  /** Adds space around the content. Default true. */
  padded?: boolean
  /** Uses the whole row of a grid of cards, with space between its parts. */
  wide?: boolean
  className?: string
  children: ReactNode
}

export function Card({ title, aside, padded = true, wide = false, className, children }: CardProps) {
  const attributes = {
    className: className ? `${classes.card} ${className}` : classes.card,
    'data-padded': padded || undefined,
    'data-wide': wide || undefined,
  }
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
    <div {...attributes}>{content}</div>
  ) : (
    <section {...attributes} aria-label={title}>
      {content}
    </section>
  )
}
