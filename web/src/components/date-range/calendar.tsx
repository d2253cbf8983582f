import { useState } from 'react'
import { DayButton, DayPicker, type DayButtonProps, type DayPickerLocale } from 'react-day-picker'
import { enGB } from 'react-day-picker/locale/en-GB'
import { ru } from 'react-day-picker/locale/ru'
import { uz } from 'react-day-picker/locale/uz'
import type { DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'
import { type DateBounds, orderRange } from '../../lib/format/date-range.rules.ts'
import { ChevronLeftIcon, ChevronRightIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './calendar.module.css'

const locales: Readonly<Record<string, DayPickerLocale>> = { ru, uz, en: enGB }

/** The years of the picker without bounds. Older days can be typed. */
const firstYear = 2015

type RangeCalendarProps = DateBounds & {
  value: DateRangeValue | null
  today: string
  locale: string
  /** Called when the first of the two days is picked. */
  onPickStart: (day: string) => void
  onPick: (value: DateRangeValue) => void
}

/** The library works with local times. Noon exists on every day in every time zone. */
function toDate(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

const toDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

const components = {
  Chevron: ({ orientation }: { orientation?: string | undefined }) =>
    orientation === 'left' ? <ChevronLeftIcon size={17} /> : <ChevronRightIcon size={17} />,
  DayButton: (props: DayButtonProps) => (
    <DayButton {...props} aria-current={props.modifiers['today'] ? 'date' : undefined} />
  ),
}

/** A calendar in which a person picks two days, in either order. Arrows move between days. */
export function RangeCalendar({ value, today, min, max, locale, onPickStart, onPick }: RangeCalendarProps) {
  const texts = useUiTexts()
  const [pickedDays, setPickedDays] = useState<{ start?: string; end?: string }>(value ?? {})
  const pick = (day: string) => {
    if (pickedDays.start !== undefined && pickedDays.end === undefined) {
      setPickedDays({ start: pickedDays.start, end: day })
      onPick(orderRange(pickedDays.start, day))
    } else {
      setPickedDays({ start: day })
      onPickStart(day)
    }
  }
  const disabledDays = [...(min ? [{ before: toDate(min) }] : []), ...(max ? [{ after: toDate(max) }] : [])]
  return (
    <DayPicker
      mode="range"
      selected={{
        from: pickedDays.start === undefined ? undefined : toDate(pickedDays.start),
        to: pickedDays.end === undefined ? undefined : toDate(pickedDays.end),
      }}
      onSelect={(_, date) => pick(toDay(date))}
      disabled={disabledDays}
      today={toDate(today)}
      defaultMonth={toDate(value?.end ?? today)}
      startMonth={min ? toDate(min) : new Date(firstYear, 0)}
      endMonth={max ? toDate(max) : new Date(toDate(today).getFullYear() + 1, 11)}
      locale={locales[locale]}
      weekStartsOn={1}
      // Six weeks in every month, so that the popup keeps its height.
      fixedWeeks
      captionLayout="dropdown"
      navLayout="around"
      className={classes.calendar}
      classNames={classes}
      labels={{
        labelPrevious: () => texts.previousMonth,
        labelNext: () => texts.nextMonth,
        // oxlint-disable-next-line max-params -- the shape of a label is the calendar's
        labelDayButton: (date, _, __, dates) => dates?.format(date, 'd MMMM yyyy') ?? '',
      }}
      components={components}
    />
  )
}
