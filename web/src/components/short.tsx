import classes from '../lib/cells.module.css'

/** Text on one line of a table; what is too long ends in an ellipsis and is whole in its title. */
export function Short({ text }: { text: string }) {
  return (
    <span className={classes.short} title={text}>
      {text}
    </span>
  )
}
