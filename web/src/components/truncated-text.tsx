import classes from '../lib/cells.module.css'

type TruncatedTextProps = {
  text: string
  title?: string
  /** For the main column of a table that has room. */
  isWide?: boolean
}

/** Text on one line of a table. A long text ends in an ellipsis; its title has the whole text, or `title`. */
export function TruncatedText({ text, title = text, isWide }: TruncatedTextProps) {
  return (
    <span className={classes.truncated} data-wide={isWide || undefined} title={title}>
      {text}
    </span>
  )
}
