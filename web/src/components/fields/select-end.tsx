import { IconButton } from '../actions/icon-button.tsx'
import { ChevronDownIcon, CloseIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './select.module.css'

type SelectEndProps = {
  label: string
  /** Empties the field. Without it, the end shows that a list opens. */
  onClear: (() => void) | undefined
  tabIndex?: number
}

/** The end of a select field: the button that empties it, or the sign of a list. */
export function SelectEnd({ label, onClear, tabIndex }: SelectEndProps) {
  const texts = useUiTexts()
  return onClear ? (
    <IconButton
      label={`${texts.clear} ${label}`}
      tabIndex={tabIndex}
      className={classes.clear}
      onClick={onClear}
    >
      <CloseIcon size={16} />
    </IconButton>
  ) : (
    <ChevronDownIcon size={16} className={classes.chevron} />
  )
}
