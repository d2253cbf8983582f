import { dimensions } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import type { ViewName } from '@karvon/contract/explore/explore.address.ts'
import { metricKinds } from '@karvon/contract/explore/explore.metrics.ts'
import { buildSeries, limitBars, type ChartSeries } from '@karvon/contract/explore/explore.series.ts'
import { getTicks } from '@karvon/contract/lib/chart-ticks.ts'
import { cutText } from '@karvon/contract/lib/cut-text.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { formatLocalAmount } from '../../platform/texts/texts.ts'
import { formatMetricName, getSeriesNames } from './view-messages.format.ts'

// Pixels of the picture.
const [width, plotHeight] = [1200, 420]
const [leftMargin, rightMargin] = [130, 60]
const lineHeight = 30
const maxTickSteps = 4
const [maxLabels, maxLabelLength, maxNameLength, maxTitleLength] = [8, 13, 70, 60]

/** Series differ in colour and in dashes or stripes, and their numbers are in the legend, as on the screen. */
const colours = ['#0b6e5f', '#b3261e', '#1f5fbf', '#8a5a00', '#6b3fa0', '#222222']
const dashes = ['none', '8 5', '2 4', '12 4 2 4', '16 6', '4 2']

const escapeXml = (text: string) =>
  text.replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ').replaceAll(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`)
const cut = (text: string, length: number) => escapeXml(cutText(text, length))
const round = (value: number) => Number(value.toFixed(2))

interface ChartOptions {
  readonly name: string
  readonly view: ViewName
  readonly language: PersonLanguage
}

/**
 * Draws the first metric of an answer as an SVG, from the series of the screen. A table is drawn as lines
 * over a time, and else as bars. Null without rows. `data-values` has the values of a series.
 */
export function drawChart(answer: ExploreAnswer, { name, view, language }: ChartOptions): string | null {
  const { rows } = answer.meta
  const isLine = view === 'line' || (view !== 'bars' && dimensions[rows].kind === 'period')
  const fullSeries = buildSeries(answer, getSeriesNames(language))
  const { labels, series, metric } = isLine ? fullSeries : limitBars(fullSeries, rows)
  if (labels.length === 0) return null
  const top = 70 + series.length * lineHeight
  const base = top + plotHeight
  const ticks = getTicks(
    Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))),
    maxTickSteps,
  )
  const max = ticks.at(-1) ?? 1
  const step = (width - leftMargin - rightMargin) / labels.length
  const plot: Plot = {
    base,
    step,
    getX: (index) => round(leftMargin + index * step + step / 2),
    getY: (value) => round(base - (Math.max(value, 0) / max) * plotHeight),
  }
  const unit = metricKinds[metric] === 'rate' ? '%' : ''
  const labelStep = Math.ceil(labels.length / maxLabels)
  const parts = [
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<text x="30" y="42" font-size="26">${cut(`${name} — ${formatMetricName(metric, language)}`, maxTitleLength)}</text>`,
    ...series.map((line, at) => drawLegend(line.name, at)),
    ...ticks.flatMap((tick) => [
      `<path d="M${leftMargin} ${plot.getY(tick)}H${width - rightMargin}" stroke="#d5d5d5"/>`,
      `<text x="${leftMargin - 12}" y="${plot.getY(tick) + 7}" text-anchor="end">${formatLocalAmount(String(tick), language)}${unit}</text>`,
    ]),
    ...series.map((line, at) =>
      isLine
        ? drawLine(line, at, plot)
        : drawBars(line, { seriesIndex: at, seriesCount: series.length }, plot),
    ),
    ...labels.flatMap((label, index) =>
      index % labelStep === 0
        ? [
            `<text x="${plot.getX(index)}" y="${base + 32}" text-anchor="middle">${cut(label, maxLabelLength)}</text>`,
          ]
        : [],
    ),
  ]
  const height = base + 60
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans" font-size="18" fill="#222222">${drawPatterns(series.length)}${parts.join('')}</svg>`
}

interface Plot {
  readonly base: number
  readonly step: number
  readonly getX: (index: number) => number
  readonly getY: (value: number) => number
}

const drawPatterns = (count: number) =>
  `<defs>${Array.from(
    { length: count },
    (_, at) =>
      `<pattern id="p${at}" width="${8 + at}" height="${8 + at}" patternUnits="userSpaceOnUse" patternTransform="rotate(${at * 30})"><rect width="20" height="20" fill="${colours[at]}"/>${at > 0 ? '<path d="M0 0V20" stroke="#ffffff" stroke-width="4"/>' : ''}</pattern>`,
  ).join('')}</defs>`

function drawLegend(name: string, at: number): string {
  const y = 82 + at * lineHeight
  return `<path d="M30 ${y - 6}H80" stroke="${colours[at]}" stroke-width="4" stroke-dasharray="${dashes[at]}"/><text x="92" y="${y}">${at + 1}. ${cut(name, maxNameLength)}</text>`
}

const writeValues = (values: ChartSeries['values']) => values.map((value) => value ?? '').join(' ')

/**
 * A line with a dot at each value, so that a value between two missing ones is visible. Its number is at
 * its end.
 */
function drawLine({ values }: ChartSeries, at: number, { getX, getY }: Plot): string {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [[getX(index), getY(value)] as const],
  )
  const [x, y] = points.at(-1) ?? [leftMargin, 0]
  const dots =
    points.length > 60
      ? ''
      : points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colours[at]}"/>`).join('')
  return `<g data-series="${at}" data-values="${writeValues(values)}"><polyline points="${points.join(' ')}" fill="none" stroke="${colours[at]}" stroke-width="3" stroke-dasharray="${dashes[at]}"/>${dots}<text x="${x + 10}" y="${y + 6}" font-size="16">${at + 1}</text></g>`
}

function drawBars(
  { values }: ChartSeries,
  { seriesIndex, seriesCount }: { seriesIndex: number; seriesCount: number },
  { base, step, getX, getY }: Plot,
): string {
  const barWidth = (step * 0.8) / seriesCount
  const bars = values.map((value, index) =>
    value === null || value <= 0
      ? ''
      : `<rect x="${round(getX(index) - step * 0.4 + seriesIndex * barWidth)}" y="${getY(value)}" width="${round(barWidth)}" height="${round(base - getY(value))}" fill="url(#p${seriesIndex})" stroke="#ffffff"/>`,
  )
  return `<g data-series="${seriesIndex}" data-values="${writeValues(values)}">${bars.join('')}</g>`
}
