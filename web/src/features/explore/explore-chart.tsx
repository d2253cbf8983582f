import { useId } from 'react'
import { Card } from '../../components/display/card.tsx'
import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import {
  buildSeries,
  limitBars,
  maxBars,
  type ExploreSeries,
  type SeriesNames,
} from '@karvon/contract/explore/explore.series.ts'
import { metricKinds } from '@karvon/contract/explore/explore.metrics.ts'
import chart from '../reports/chart.module.css'
import { getTicks } from '@karvon/contract/lib/chart-ticks.ts'
import { ValueAxis } from '../reports/value-axis.tsx'
import { formatFigure } from '../../lib/format/money.format.ts'
import { formatMember } from './explore.member.format.ts'
import classes from './explore.module.css'
import { exploreFilterTexts } from './explore.filters.texts.ts'
import { exploreTexts as texts } from './explore.texts.ts'

// Units of the drawing, as in the chart of days: its style sheet scales it to 214 px of height.
const width = 1180
const drawingHeight = 236
const base = 214
const height = 200
const maxTickSteps = 4
/** The least distance of two labels, as a part of the axis. */
const minLabelGap = 0.09

const seriesNames: SeriesNames = {
  member: formatMember,
  metric: (metric) => texts.metricNames[metric],
  before: (name) => texts.before({ name }),
}

const getTopPx = (part: number) => `${((base - part * height) / drawingHeight) * base}px`

interface ExploreChartProps {
  readonly answer: ExploreAnswer
  readonly kind: 'line' | 'bars'
}

/** The first metric as lines or bars, with a value axis and a legend. Each series has its own dashes or pattern and number. */
export function ExploreChart({ answer, kind }: ExploreChartProps) {
  const data = buildSeries(answer, seriesNames)
  const hiddenCount = kind === 'bars' ? Math.max(data.labels.length - maxBars, 0) : 0
  const drawnData = hiddenCount === 0 ? data : limitBars(data, answer.meta.rows)
  const metric = texts.metricNames[data.metric]
  const label = texts.chart({ metric, rows: exploreFilterTexts.dimensions[answer.meta.rows].toLowerCase() })
  if (data.labels.length === 0) return null
  return (
    <Card>
      <ul className={chart.legend}>
        {data.series.map(({ name }, index) => (
          <li key={`${index} ${name}`} className={classes.series} data-series={index}>
            <b>{index + 1}</b> {name}
          </li>
        ))}
      </ul>
      <div className={chart.plot} data-of="days">
        <Plot data={drawnData} kind={kind} label={label} />
      </div>
      {data.total > data.series.length && (
        <p className={classes.note}>{texts.seriesOf({ shown: data.series.length, total: data.total })}</p>
      )}
      {hiddenCount > 0 && (
        <p className={classes.note}>{texts.shownOf({ shown: maxBars, total: data.labels.length })}</p>
      )}
    </Card>
  )
}

function Plot({
  data,
  kind,
  label,
}: {
  data: ExploreSeries
  kind: ExploreChartProps['kind']
  label: string
}) {
  const { labels, series, metric } = data
  const patternId = useId()
  const values = series.flatMap((line) => line.values).filter((value) => value !== null)
  const ticks = getTicks(Math.max(...values, 0), maxTickSteps)
  const max = ticks.at(-1) ?? 1
  const step = width / labels.length
  const getMiddle = (index: number) => index * step + step / 2
  const getY = (value: number) => base - (Math.max(value, 0) / max) * height
  const labelStep = Math.ceil(labels.length / 8)
  const unit = metricKinds[metric] === 'rate' ? `${texts.metricNames[metric]}, %` : texts.metricNames[metric]
  return (
    <div className={`${chart.days} ${classes.plot}`}>
      <svg viewBox={`0 0 ${width} ${drawingHeight}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <defs>
          {series.map((_, at) => (
            <pattern
              key={at}
              id={`${patternId}${at}`}
              data-series={at}
              className={classes.pattern}
              width={6 + at}
              height={6 + at}
              patternUnits="userSpaceOnUse"
              patternTransform={`rotate(${at * 30})`}
            >
              <rect width="20" height="20" />
              {at > 0 && <path d="M0 0V20" />}
            </pattern>
          ))}
        </defs>
        {ticks.map((tick) => (
          <path key={tick} d={`M0 ${getY(tick)}H${width}`} className={chart.grid} />
        ))}
        {series.map((line, at) =>
          kind === 'line' ? (
            <polyline
              key={at}
              data-series={at}
              className={classes.line}
              points={line.values
                .flatMap((value, index) => (value === null ? [] : [`${getMiddle(index)},${getY(value)}`]))
                .join(' ')}
            />
          ) : (
            line.values.map(
              (value, index) =>
                value !== null &&
                value > 0 && (
                  <rect
                    key={`${at} ${index}`}
                    data-series={at}
                    className={classes.bar}
                    fill={`url(#${patternId}${at})`}
                    x={index * step + step * (0.1 + (0.8 * at) / series.length)}
                    y={getY(value)}
                    width={(step * 0.8) / series.length}
                    height={base - getY(value)}
                  >
                    <title>{`${labels[index]}, ${line.name}: ${formatFigure(Number(value.toFixed(2)))}`}</title>
                  </rect>
                ),
            )
          ),
        )}
      </svg>
      <ValueAxis label={unit} ticks={ticks} side="left" getTop={(tick) => getTopPx(tick / max)} />
      <div className={classes.ends} aria-hidden="true">
        {kind === 'line' &&
          labelEnds(series, max).map(({ top, numbers }) => (
            <b key={top} style={{ top: getTopPx(top) }}>
              {numbers.join(', ')}
            </b>
          ))}
      </div>
      <div className={chart.axis} aria-hidden="true">
        {labels.map(
          (text, index) =>
            index % labelStep === 0 && (
              <span
                key={index}
                className={classes.label}
                style={{ left: `${(getMiddle(index) / width) * 100}%` }}
              >
                {text}
              </span>
            ),
        )}
      </div>
    </div>
  )
}

/** The numbers of the series at the ends of their lines, as parts of the axis. Ends that would overlap share a label. */
function labelEnds(series: ExploreSeries['series'], max: number): { top: number; numbers: number[] }[] {
  const ends = series
    .flatMap(({ values }, at) => {
      const lastValue = values.findLast((value) => value !== null)
      return typeof lastValue === 'number' ? [{ top: Math.max(lastValue, 0) / max, number: at + 1 }] : []
    })
    .toSorted((a, b) => a.top - b.top)
  const labels: { top: number; numbers: number[] }[] = []
  for (const { top, number } of ends) {
    const lastLabel = labels.at(-1)
    if (lastLabel !== undefined && top - lastLabel.top < minLabelGap) lastLabel.numbers.push(number)
    else labels.push({ top, numbers: [number] })
  }
  return labels
}
