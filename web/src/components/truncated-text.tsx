import classes from '../lib/cells.module.css'

/** Text on one line of a table. A long text ends in an ellipsis; its title has the whole text, or `title`. */
export function TruncatedText({ text, title = text }: { text: string; title?: string }) {
  return (
    <span className={classes.truncated} title={title}>
      {text}
    </span>
  )
}
