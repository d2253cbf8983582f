import { useState } from 'react'
import { formatDay } from '../../lib/format/day.format.ts'
import { ChartCard } from './chart-card.tsx'
import { ChartTip } from './chart-tip.tsx'
import classes from './chart.module.css'
import { getTicks } from '@karvon/contract/lib/chart-ticks.ts'
import { getBarLength, layers, sumBars, toDayBars, type DayBar } from './chart.rules.ts'
import { formatFigure } from '../../lib/format/money.format.ts'
import { useReport, type ReportFilter, type ReceivedDailyRow } from './report.query.ts'
import { reportTexts } from './reports.texts.ts'
import { ValueAxis } from './value-axis.tsx'

const texts = reportTexts.chart

/** The number of days: the newest without a period, else as many as one answer can have. */
const maxDays = { always: 31, inPeriod: 200 }

// Units of the drawing. The style sheet scales it to the width of the page and to 214 px of height.
const width = 1180
const drawingHeight = 236
const height = 210
const base = 214
const heightPx = 214

const maxTickSteps = 4

/** The distance of a value from the top of the drawing, in pixels. `part` is the value's part of the axis, 0 to 1. */
const getTopPx = (part: number) => `${((base - part * height) / drawingHeight) * heightPx}px`

/** Leads by day as bars of their states, with an axis at the left, and profit as a line, with an axis at the right. */
export function DailyChart({ filter }: { filter: ReportFilter }) {
  const size = filter.start_date ? maxDays.inPeriod : maxDays.always
  const { data, isError } = useReport<ReceivedDailyRow>('daily', {
    page: 1,
    per_page: size,
    sort: '-date',
    ...filter,
  })
  const days = toDayBars(data?.items ?? [])
  if (isError) return null
  return (
    <ChartCard kind="days" isEmpty={data !== undefined && days.length === 0}>
      {days.length > 0 && <Bars days={days} />}
    </ChartCard>
  )
}

function Bars({ days }: { days: readonly DayBar[] }) {
  const [pointedIndex, setPointedIndex] = useState<number | null>(null)
  const step = width / days.length
  const gap = Math.min(16, step * 0.3)
  const leadTicks = getTicks(Math.max(...days.map(getBarLength)), maxTickSteps)
  const maxLeads = leadTicks.at(-1) ?? 1
  const profitTicks = getTicks(Math.max(...days.map(({ profit }) => profit), 0), maxTickSteps)
  const maxProfit = profitTicks.at(-1) ?? 1
  const getMiddle = (index: number) => index * step + step / 2
  const labelStep = Math.ceil(days.length / 8)
  const day = pointedIndex === null ? undefined : days[pointedIndex]

  return (
    <div className={classes.days} onPointerLeave={() => setPointedIndex(null)}>
      <svg
        viewBox={`0 0 ${width} ${drawingHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.alternative({
          days: days.length,
          from: formatDay(days[0]?.date ?? ''),
          to: formatDay(days.at(-1)?.date ?? ''),
          leads: formatFigure(sumBars(days, ({ leads }) => leads)),
          sold: formatFigure(sumBars(days, ({ counts }) => counts.sold)),
        })}
      >
        {leadTicks.map((tick) => (
          <path key={tick} d={`M0 ${base - (tick / maxLeads) * height}H${width}`} className={classes.grid} />
        ))}
        {days.map((reportDay, index) => {
          let top = base
          return (
            <g
              key={reportDay.date}
              data-pointed={index === pointedIndex || undefined}
              className={classes.day}
            >
              {layers.map((layer) => {
                const barHeight = (reportDay.counts[layer] / maxLeads) * height
                top -= barHeight
                return (
                  barHeight > 0 && (
                    <rect
                      key={layer}
                      data-layer={layer}
                      x={index * step + gap / 2}
                      y={top}
                      width={step - gap}
                      height={Math.max(barHeight - 1, 0.5)}
                    />
                  )
                )
              })}
              <rect
                className={classes.target}
                x={index * step}
                y={0}
                width={step}
                height={drawingHeight}
                onPointerEnter={() => setPointedIndex(index)}
              />
            </g>
          )
        })}
        <polyline
          className={classes.profit}
          points={days
            .map(
              (reportDay, index) => `${getMiddle(index)},${base - (reportDay.profit / maxProfit) * height}`,
            )
            .join(' ')}
        />
      </svg>
      <ValueAxis
        label={reportTexts.kpi.leads}
        ticks={leadTicks}
        side="left"
        getTop={(tick) => getTopPx(tick / maxLeads)}
      />
      <ValueAxis
        label={texts.profit}
        ticks={profitTicks}
        side="right"
        getTop={(tick) => getTopPx(tick / maxProfit)}
      />
      <div className={classes.axis} aria-hidden="true">
        {days.map(
          (reportDay, index) =>
            index % labelStep === 0 && (
              <span key={reportDay.date} style={{ left: `${(getMiddle(index) / width) * 100}%` }}>
                {formatDay(reportDay.date).slice(0, 5)}
              </span>
            ),
        )}
      </div>
      {day && pointedIndex !== null && (
        <ChartTip
          title={formatDay(day.date)}
          bar={day}
          side={pointedIndex > days.length / 2 ? 'left' : 'right'}
          style={{ left: `${(getMiddle(pointedIndex) / width) * 100}%` }}
        />
      )}
    </div>
  )
}
