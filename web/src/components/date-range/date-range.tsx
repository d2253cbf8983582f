import { lazy, useId, useRef, useState } from 'react'
import { LazyPart } from '../lazy-part.tsx'
import { IconButton } from '../actions/icon-button.tsx'
import { CalendarIcon, CloseIcon } from '../actions/icons.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { Popup } from '../overlay/popup.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './date-range.module.css'
import type { DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'
import type { DateBounds } from '../../lib/format/date-range.rules.ts'

// The calendar is large and few visits open it.
const loadPanel = () => import('./date-range.panel.tsx')
const DateRangePanel = lazy(async () => ({ default: (await loadPanel()).DateRangePanel }))
// A failure shows when the panel opens.
const preloadPanel = () => void loadPanel().catch(() => undefined)

export type DateRangeProps = DateBounds & {
  /** Default 'Период'. */
  label?: string
  /** Null means any time. */
  value: DateRangeValue | null
  onChange: (value: DateRangeValue | null) => void
  /** Today in the installation's time zone, `yyyy-mm-dd`. The presets count from it. */
  today: string
  clearable?: boolean
  /** The text of a period that has one end. Its `value` is null. */
  halfText?: string | undefined
}

/** A period. Its button opens the calendar with presets and typed days. */
export function DateRange(props: DateRangeProps) {
  const { value, onChange, halfText, clearable = false } = props
  const texts = useUiTexts()
  const label = props.label ?? texts.dateRange
  const id = useId()
  const anchor = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)

  const close = () => {
    setIsOpen(false)
    button.current?.focus()
  }
  const valueText = value
    ? `${formatDay(value.start)} – ${formatDay(value.end)}`
    : (halfText ?? texts.chooseDates)
  const isEmpty = value === null && halfText === undefined

  return (
    <div ref={anchor} className={classes.box}>
      <button
        ref={button}
        type="button"
        className={classes.trigger}
        data-filter
        aria-label={`${label}: ${valueText}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onPointerEnter={preloadPanel}
        onFocus={preloadPanel}
        onClick={() => setIsOpen(!isOpen)}
      >
        <CalendarIcon size={17} />
        <span data-empty={isEmpty || undefined}>{valueText}</span>
      </button>
      {clearable && !isEmpty && (
        <IconButton
          label={`${texts.clear}: ${label}`}
          className={classes.clear}
          onClick={() => {
            onChange(null)
            button.current?.focus()
          }}
        >
          <CloseIcon size={16} />
        </IconButton>
      )}
      {isOpen && (
        <Popup
          anchor={anchor}
          id={id}
          role="dialog"
          cover
          label={label}
          className={classes.popup}
          onClose={() => setIsOpen(false)}
          onEscape={close}
        >
          <LazyPart fallback={<p className={classes.wait}>{texts.loading}</p>}>
            <DateRangePanel
              {...props}
              onPick={(range) => {
                onChange(range)
                close()
              }}
            />
          </LazyPart>
        </Popup>
      )}
    </div>
  )
}
