import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../actions/button.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { useUiTexts } from '../texts.ts'
import { RangeCalendar } from './calendar.tsx'
import { language } from '../../lib/i18n/language.ts'
import type { DateRangeProps } from './date-range.tsx'
import { type DateRangeValue, getPresetRanges, presetNames } from '@karvon/contract/lib/day-ranges.ts'
import { clipRange, isInBounds, orderRange, parseDay } from '../../lib/format/date-range.rules.ts'
import classes from './date-range.module.css'

type PanelProps = Pick<DateRangeProps, 'value' | 'today' | 'min' | 'max'> & {
  onPick: (value: DateRangeValue) => void
}

/** The content of the period's popup: presets, two typed days and the calendar. */
export function DateRangePanel({ value, today, min, max, onPick }: PanelProps) {
  const texts = useUiTexts()
  const id = useId()
  const bounds = { min, max }
  const [typedDays, setTypedDays] = useState(
    value ? { start: formatDay(value.start), end: formatDay(value.end) } : { start: '', end: '' },
  )
  const [error, setError] = useState<string | null>(null)
  const firstInput = useRef<HTMLInputElement>(null)
  useEffect(() => firstInput.current?.focus(), [])

  const submit = () => {
    const [start, end] = [parseDay(typedDays.start), parseDay(typedDays.end)]
    if (start === null || end === null) setError(texts.invalidDate)
    else if (!isInBounds(start, bounds) || !isInBounds(end, bounds)) setError(texts.dateOutOfRange)
    else onPick(orderRange(start, end))
  }

  const input = (name: 'start' | 'end', label: string) => (
    <input
      ref={name === 'start' ? firstInput : undefined}
      aria-label={label}
      placeholder={texts.dateHint}
      inputMode="numeric"
      autoComplete="off"
      value={typedDays[name]}
      aria-invalid={error !== null && parseDay(typedDays[name]) === null ? true : undefined}
      aria-describedby={error ? `${id}error` : undefined}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // Not a form element: the period may be a field of a form.
        event.preventDefault()
        submit()
      }}
      onChange={(event) => {
        const { value: next } = event.currentTarget
        setError(null)
        setTypedDays((before) => ({ ...before, [name]: next }))
      }}
    />
  )

  return (
    <div className={classes.panel}>
      <PresetList value={value} today={today} min={min} max={max} onPick={onPick} />
      <div className={classes.side}>
        <div className={classes.typed}>
          {input('start', texts.dateFrom)}
          <span aria-hidden="true">–</span>
          {input('end', texts.dateTo)}
          <Button onClick={submit}>{texts.apply}</Button>
        </div>
        {error && (
          <p id={`${id}error`} role="alert" className={classes.error}>
            {error}
          </p>
        )}
        <RangeCalendar
          value={value}
          today={today}
          min={min}
          max={max}
          locale={language || 'ru'}
          onPickStart={(day) => setTypedDays({ start: formatDay(day), end: '' })}
          onPick={onPick}
        />
      </div>
    </div>
  )
}

/** The presets as buttons. A preset is cut at the bounds, and disabled when it is outside them. */
function PresetList({ value, today, min, max, onPick }: PanelProps) {
  const texts = useUiTexts()
  const ranges = getPresetRanges(today)
  return (
    <ul className={classes.presets}>
      {presetNames.map((name) => {
        const range = clipRange(ranges[name], { min, max })
        const isWhole = range?.start === ranges[name].start && range.end === ranges[name].end
        const isSelected = range !== null && range.start === value?.start && range.end === value.end
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={isSelected}
              disabled={range === null}
              onClick={() => {
                if (range) onPick(isWhole ? { ...range, preset: name } : range)
              }}
            >
              {texts.presets[name]}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
