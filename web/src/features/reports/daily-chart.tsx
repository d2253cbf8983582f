import { useState } from 'react'
import { formatDay } from '../../lib/format/day.format.ts'
import { ChartCard } from './chart-card.tsx'
import { ChartTip } from './chart-tip.tsx'
import classes from './chart.module.css'
import { createColumnScale, createValueScale, drawing, maxTickSteps, type ValueScale } from './chart.scale.ts'
import { ColumnAxis } from './column-axis.tsx'
import { getTicks } from '@karvon/contract/lib/chart-ticks.ts'
import { getBarLength, layers, sumBars, toDayBars, type DayBar } from './chart.rules.ts'
import { formatFigure } from '../../lib/format/money.format.ts'
import { useReport, type ReportFilter, type ReceivedDailyRow } from './report.query.ts'
import { reportTexts } from './reports.texts.ts'
import { ValueAxis } from './value-axis.tsx'

const texts = reportTexts.chart

/** The number of days: the newest without a period, else as many as one answer can have. */
const maxDays = { newest: 31, inPeriod: 200 }

/** The height of the longest bar and of the highest profit, in units of the drawing. */
const plotHeight = 210

/** Leads by day as bars of their states, with an axis at the left, and profit as a line, with an axis at the right. */
export function DailyChart({ filter }: { filter: ReportFilter }) {
  const size = filter.start_date ? maxDays.inPeriod : maxDays.newest
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
  const columns = createColumnScale(days.length)
  const leadTicks = getTicks(Math.max(...days.map(getBarLength)), maxTickSteps)
  const leadScale = createValueScale(leadTicks.at(-1) ?? 1, plotHeight)
  const profitTicks = getTicks(Math.max(...days.map(({ profit }) => profit), 0), maxTickSteps)
  const profitScale = createValueScale(profitTicks.at(-1) ?? 1, plotHeight)
  const pointedDay = pointedIndex === null ? undefined : days[pointedIndex]

  return (
    <div className={classes.days} onPointerLeave={() => setPointedIndex(null)}>
      <svg
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeDays(days)}
      >
        {leadTicks.map((tick) => (
          <path key={tick} d={`M0 ${leadScale.getY(tick)}H${drawing.width}`} className={classes.grid} />
        ))}
        {days.map((day, index) => (
          <StackedBar
            key={day.date}
            day={day}
            x={index * columns.step}
            width={columns.step}
            scale={leadScale}
            isPointed={index === pointedIndex}
            onPoint={() => setPointedIndex(index)}
          />
        ))}
        <polyline
          className={classes.profit}
          points={days
            .map(({ profit }, index) => `${columns.getMiddle(index)},${profitScale.getY(profit)}`)
            .join(' ')}
        />
      </svg>
      <ValueAxis label={reportTexts.kpi.leads} ticks={leadTicks} side="left" getTop={leadScale.getTop} />
      <ValueAxis label={texts.profit} ticks={profitTicks} side="right" getTop={profitScale.getTop} />
      <ColumnAxis labels={days.map(({ date }) => formatDay(date).slice(0, 5))} columns={columns} />
      {pointedDay && pointedIndex !== null && (
        <ChartTip
          title={formatDay(pointedDay.date)}
          bar={pointedDay}
          side={pointedIndex > days.length / 2 ? 'left' : 'right'}
          style={{ left: columns.getMiddleLeft(pointedIndex) }}
        />
      )}
    </div>
  )
}

const describeDays = (days: readonly DayBar[]): string =>
  texts.alternative({
    days: days.length,
    from: formatDay(days[0]?.date ?? ''),
    to: formatDay(days.at(-1)?.date ?? ''),
    leads: formatFigure(sumBars(days, ({ leads }) => leads)),
    sold: formatFigure(sumBars(days, ({ counts }) => counts.sold)),
  })

type StackedBarProps = {
  day: DayBar
  /** The column of the day. It is wider than the bar. */
  x: number
  width: number
  scale: ValueScale
  isPointed: boolean
  onPoint: () => void
}

/** The leads of a day by state, above each other. The whole column reacts to the pointer. */
function StackedBar({ day, x, width, scale, isPointed, onPoint }: StackedBarProps) {
  const gap = Math.min(16, width * 0.3)
  const lengths = layers.map((layer) => scale.getLength(day.counts[layer]))
  const getTop = (at: number) => drawing.base - lengths.slice(0, at + 1).reduce((sum, length) => sum + length)
  return (
    <g data-pointed={isPointed || undefined} className={classes.day}>
      {lengths.map(
        (length, at) =>
          length > 0 && (
            <rect
              key={layers[at]}
              data-layer={layers[at]}
              x={x + gap / 2}
              y={getTop(at)}
              width={width - gap}
              height={Math.max(length - 1, 0.5)}
            />
          ),
      )}
      <rect
        className={classes.target}
        x={x}
        y={0}
        width={width}
        height={drawing.height}
        onPointerEnter={onPoint}
      />
    </g>
  )
}
