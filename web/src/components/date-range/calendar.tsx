import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/dates/styles.css'
import { createTheme, MantineProvider } from '@mantine/core'
import { DatePicker, DatesProvider } from '@mantine/dates'
import 'dayjs/locale/ru'
import 'dayjs/locale/uz-latn'
import { useState } from 'react'
import { useUiTexts } from '../texts.ts'
import { useTheme } from '../theme/theme.store.ts'
import classes from './calendar.module.css'
import { type DateBounds, type DateRangeValue, orderRange } from '../../lib/format/date-range.rules.ts'

// The library's colours and font are the tokens of the app; see calendar.module.css.
const theme = createTheme({ fontFamily: 'var(--font)', defaultRadius: 6, respectReducedMotion: true })

// Six weeks in every month, so that the popup keeps its height. Weeks start on Monday by default.
const settings = { consistentWeeks: true }

type RangeCalendarProps = DateBounds & {
  value: DateRangeValue | null
  today: string
  locale: string
  /** Called when the first of the two days is picked. */
  onPickStart: (day: string) => void
  onPick: (value: DateRangeValue) => void
}

/** A calendar in which a person picks two days. Arrows move between days. */
export function RangeCalendar({ value, today, min, max, locale, onPickStart, onPick }: RangeCalendarProps) {
  const texts = useUiTexts()
  const appTheme = useTheme()
  const [picked, setPicked] = useState<[string | null, string | null]>([
    value?.start ?? null,
    value?.end ?? null,
  ])
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={appTheme.theme}
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses={false}
    >
      <DatesProvider settings={settings}>
        <DatePicker
          type="range"
          allowSingleDateInRange
          size="sm"
          className={classes.calendar}
          value={picked}
          onChange={(next) => {
            setPicked(next)
            const [first, second] = next
            if (first && second) onPick(orderRange(first, second))
            else if (first) onPickStart(first)
          }}
          defaultDate={value?.end ?? today}
          minDate={min}
          maxDate={max}
          locale={locale === 'uz' ? 'uz-latn' : locale}
          hideOutsideDates
          getDayProps={(day) => (day === today ? { className: classes.today, 'aria-current': 'date' } : {})}
          ariaLabels={{
            previousMonth: texts.previousMonth,
            nextMonth: texts.nextMonth,
          }}
        />
      </DatesProvider>
    </MantineProvider>
  )
}
