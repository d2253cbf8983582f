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
import {
  createColumnScale,
  createValueScale,
  drawing,
  maxTickSteps,
  type ColumnScale,
  type ValueScale,
} from '../reports/chart.scale.ts'
import { ColumnAxis } from '../reports/column-axis.tsx'
import { ValueAxis } from '../reports/value-axis.tsx'
import { formatFigure } from '../../lib/format/money.format.ts'
import { formatMember } from './explore.member.format.ts'
import classes from './explore.module.css'
import { exploreFilterTexts } from './explore.filters.texts.ts'
import { exploreTexts as texts } from './explore.texts.ts'

/** The height of the largest value, in units of the drawing. */
const plotHeight = 200
/** The least distance of two labels, as a part of the axis. */
const minLabelGap = 0.09

const seriesNames: SeriesNames = {
  member: formatMember,
  metric: (metric) => texts.metricNames[metric],
  before: (name) => texts.before({ name }),
}

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

type PlotProps = { data: ExploreSeries; kind: ExploreChartProps['kind']; label: string }

function Plot({ data, kind, label }: PlotProps) {
  const { labels, series, metric } = data
  const patternId = useId()
  const values = series.flatMap((line) => line.values).filter((value) => value !== null)
  const ticks = getTicks(Math.max(...values, 0), maxTickSteps)
  const max = ticks.at(-1) ?? 1
  const columns = createColumnScale(labels.length)
  const scale = createValueScale(max, plotHeight)
  const unit = metricKinds[metric] === 'rate' ? `${texts.metricNames[metric]}, %` : texts.metricNames[metric]
  return (
    <div className={`${chart.days} ${classes.plot}`}>
      <svg
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <defs>
          {series.map((_, at) => (
            <BarPattern key={at} id={`${patternId}${at}`} at={at} />
          ))}
        </defs>
        {ticks.map((tick) => (
          <path key={tick} d={`M0 ${scale.getY(tick)}H${drawing.width}`} className={chart.grid} />
        ))}
        {kind === 'line' ? (
          <Lines series={series} columns={columns} scale={scale} />
        ) : (
          <Bars series={series} labels={labels} columns={columns} scale={scale} patternId={patternId} />
        )}
      </svg>
      <ValueAxis label={unit} ticks={ticks} side="left" getTop={scale.getTop} />
      <div className={classes.ends} aria-hidden="true">
        {kind === 'line' &&
          labelEnds(series, max).map(({ value, numbers }) => (
            <b key={value} style={{ top: scale.getTop(value) }}>
              {numbers.join(', ')}
            </b>
          ))}
      </div>
      <ColumnAxis labels={labels} columns={columns} labelClassName={classes.label} />
    </div>
  )
}

/** The pattern of the bars of a series, so that people who do not see the colours can tell the series apart. */
function BarPattern({ id, at }: { id: string; at: number }) {
  return (
    <pattern
      id={id}
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
  )
}

type SeriesProps = { series: ExploreSeries['series']; columns: ColumnScale; scale: ValueScale }

/** The place of a value. A negative value is drawn at 0. */
const getValueY = (scale: ValueScale, value: number): number => scale.getY(Math.max(value, 0))

function Lines({ series, columns, scale }: SeriesProps) {
  return series.map(({ values }, at) => (
    <polyline
      key={at}
      data-series={at}
      className={classes.line}
      points={values
        .flatMap((value, index) =>
          value === null ? [] : [`${columns.getMiddle(index)},${getValueY(scale, value)}`],
        )
        .join(' ')}
    />
  ))
}

type BarsProps = SeriesProps & { labels: readonly string[]; patternId: string }

function Bars({ series, labels, columns: { step }, scale, patternId }: BarsProps) {
  const width = (step * 0.8) / series.length
  return series.map(({ name, values }, at) =>
    values.map(
      (value, index) =>
        value !== null &&
        value > 0 && (
          <rect
            key={`${at} ${index}`}
            data-series={at}
            className={classes.bar}
            fill={`url(#${patternId}${at})`}
            x={index * step + step * (0.1 + (0.8 * at) / series.length)}
            y={scale.getY(value)}
            width={width}
            height={scale.getLength(value)}
          >
            <title>{`${labels[index]}, ${name}: ${formatFigure(Number(value.toFixed(2)))}`}</title>
          </rect>
        ),
    ),
  )
}

interface EndLabel {
  readonly value: number
  readonly numbers: number[]
}

/** The numbers of the series at the ends of their lines. Ends that would overlap on an axis up to `max` share a label. */
function labelEnds(series: ExploreSeries['series'], max: number): EndLabel[] {
  const ends = series
    .flatMap(({ values }, at) => {
      const lastValue = values.findLast((value) => value !== null)
      return typeof lastValue === 'number' ? [{ value: Math.max(lastValue, 0), number: at + 1 }] : []
    })
    .toSorted((a, b) => a.value - b.value)
  const labels: EndLabel[] = []
  for (const { value, number } of ends) {
    const lastLabel = labels.at(-1)
    if (lastLabel !== undefined && (value - lastLabel.value) / max < minLabelGap)
      lastLabel.numbers.push(number)
    else labels.push({ value, numbers: [number] })
  }
  return labels
}
