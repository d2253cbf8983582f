import { useState } from 'react'
import { formatDay } from '../../lib/format/day.format.ts'
import { ChartCard } from './chart-card.tsx'
import { ChartTip } from './chart-tip.tsx'
import classes from './chart.module.css'
import { barLength, dayBars, layers, roundUp, sumOf, type DayBar } from './chart.rules.ts'
import { formatFigure } from './report.format.ts'
import { useReport, type ReportNarrowing, type ReceivedDailyRow } from './report.query.ts'
import { reportTexts } from './reports.texts.ts'

const texts = reportTexts.chart

/** Days drawn: the newest of all time, or as many of a period as one answer holds. */
const shownDays = { always: 31, inPeriod: 200 }

// The drawing's own units; it is scaled to the width that there is.
const width = 1180
const height = 210
const base = 214
const grid = [0, 0.25, 0.5, 0.75, 1]

/** Leads by day as bars of their states, profit as a line. The table says the same in figures. */
export function DailyChart({ narrowing }: { narrowing: ReportNarrowing }) {
  const size = narrowing.start_date ? shownDays.inPeriod : shownDays.always
  const { data, isError } = useReport<ReceivedDailyRow>('daily', {
    page: 1,
    per_page: size,
    sort: '-date',
    ...narrowing,
  })
  const days = dayBars(data?.items ?? [])
  if (isError || (data && days.length === 0)) return null
  return <ChartCard of="days">{days.length > 0 && <Bars days={days} />}</ChartCard>
}

function Bars({ days }: { days: readonly DayBar[] }) {
  const [pointed, setPointed] = useState<number | null>(null)
  const step = width / days.length
  const gap = Math.min(16, step * 0.3)
  const most = roundUp(Math.max(...days.map(barLength), 1))
  const richest = roundUp(Math.max(...days.map(({ profit }) => profit), 1))
  const middle = (index: number) => index * step + step / 2
  const every = Math.ceil(days.length / 8)
  const day = pointed === null ? undefined : days[pointed]

  return (
    <div onPointerLeave={() => setPointed(null)}>
      <svg
        viewBox={`0 0 ${width} 236`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.alternative(
          days.length,
          formatDay(days[0]?.date ?? ''),
          formatDay(days.at(-1)?.date ?? ''),
          formatFigure(sumOf(days, ({ leads }) => leads)),
          formatFigure(sumOf(days, ({ counts }) => counts.sold)),
        )}
      >
        {grid.map((part) => (
          <path key={part} d={`M0 ${base - part * height}H${width}`} className={classes.grid} />
        ))}
        {days.map((each, index) => {
          let top = base
          return (
            <g key={each.date} data-pointed={index === pointed || undefined} className={classes.day}>
              {layers.map((layer) => {
                const tall = (each.counts[layer] / most) * height
                top -= tall
                return (
                  tall > 0 && (
                    <rect
                      key={layer}
                      data-layer={layer}
                      x={index * step + gap / 2}
                      y={top}
                      width={step - gap}
                      height={Math.max(tall - 1, 0.5)}
                    />
                  )
                )
              })}
              <rect
                className={classes.target}
                x={index * step}
                y={0}
                width={step}
                height={236}
                onPointerEnter={() => setPointed(index)}
              />
            </g>
          )
        })}
        <polyline
          className={classes.profit}
          points={days
            .map((each, index) => `${middle(index)},${base - (each.profit / richest) * height}`)
            .join(' ')}
        />
      </svg>
      <div className={classes.axis} aria-hidden="true">
        {days.map(
          (each, index) =>
            index % every === 0 && (
              <span key={each.date} style={{ left: `${(middle(index) / width) * 100}%` }}>
                {formatDay(each.date).slice(0, 5)}
              </span>
            ),
        )}
      </div>
      {day && pointed !== null && (
        <ChartTip
          title={formatDay(day.date)}
          bar={day}
          side={pointed > days.length / 2 ? 'left' : 'right'}
          style={{ left: `${(middle(pointed) / width) * 100}%` }}
        />
      )}
    </div>
  )
}
