import type { ReactNode } from 'react'
import classes from './layout.module.css'

/** The content of a page: its parts below each other. */
export function PageBody({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

/** The heading of a part of a page, with actions at the right. The shell shows the page's title. */
export function PageHeader({
  title,
  subtitle,
  actions,
}: {
  title: string
  subtitle?: string
  actions?: ReactNode
}) {
  return (
    <div className={classes.header}>
      <div className={classes.words}>
        <h2 className={classes.title}>{title}</h2>
        {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
      </div>
      {actions && <div className={classes.end}>{actions}</div>}
    </div>
  )
}

type ToolbarProps = {
  children?: ReactNode
  actions?: ReactNode
  /** The labels of all fields are hidden. */
  isUnlabelled?: boolean
}

/** Search and filters at the left, actions at the right. Wraps on narrow screens. */
export function Toolbar({ children, actions, isUnlabelled = false }: ToolbarProps) {
  return (
    <div className={classes.bar} data-unlabelled={isUnlabelled || undefined}>
      {children}
      {actions && <div className={classes.end}>{actions}</div>}
    </div>
  )
}

type ToolbarItemProps = {
  /** Pixels at the browser's default font size. */
  width?: number
  /** Pixels that the filter needs on narrow screens. Default: `width`. */
  phoneWidth?: number
  children: ReactNode
  /** Called when the pointer or the focus comes to the filter. */
  onNear?: () => void
}

/** A filter of fixed width in a toolbar. On narrow screens the filters share the width of a row. */
export function ToolbarItem({ width = 190, phoneWidth = width, children, onNear }: ToolbarItemProps) {
  const style = { '--item': `${width / 10}rem`, '--phone-item': `${phoneWidth / 10}rem` }
  return (
    <div className={classes.item} style={style} data-filter onPointerEnter={onNear} onFocus={onNear}>
      {children}
    </div>
  )
}

type WithDetailProps = {
  children: ReactNode
  detail?: ReactNode
  /** Called when the pointer or the focus comes to the list. */
  onNear?: () => void
}

/** A list with its detail beside it. On narrow screens only the list is shown. */
export function WithDetail({ children, detail, onNear }: WithDetailProps) {
  return (
    <div className={classes.split} onPointerEnter={onNear} onFocus={onNear}>
      <div className={classes.main}>{children}</div>
      {detail && <aside className={classes.detail}>{detail}</aside>}
    </div>
  )
}

/** A table cell with two lines. The second line explains the first. */
export function TwoLines({ first, second, mono }: { first: ReactNode; second?: ReactNode; mono?: boolean }) {
  return (
    <span className={classes.lines}>
      {first}
      <small className={mono ? `${classes.second} mono` : classes.second}>{second ?? '\u00a0'}</small>
    </span>
  )
}
