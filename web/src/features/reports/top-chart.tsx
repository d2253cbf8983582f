import { useState } from 'react'
import { ChartCard } from './chart-card.tsx'
import { ChartTip } from './chart-tip.tsx'
import classes from './chart.module.css'
import { getBarLength, layers, toNamedBars, sumBars, type NamedBar } from './chart.rules.ts'
import { formatFigure } from '../../lib/format/money.format.ts'
import { useReport, type ReportFilter, type ReceivedOfferOrStreamRow } from './report.query.ts'
import { reportTexts } from './reports.texts.ts'

type TopChartProps = { kind: 'offers' | 'streams'; filter: ReportFilter }

/**
 * The ten offers or streams with the most leads, as bars of their states. The sort of the table does not
 * matter.
 */
export function TopChart({ kind, filter }: TopChartProps) {
  const { data, isError } = useReport<ReceivedOfferOrStreamRow>(kind, {
    page: 1,
    per_page: 10,
    sort: '-leads',
    ...filter,
  })
  const bars = toNamedBars(data?.items ?? [])
  if (isError) return null
  return (
    <ChartCard kind="names" isEmpty={data !== undefined && bars.length === 0}>
      {bars.length > 0 && <Bars kind={kind} bars={bars} />}
    </ChartCard>
  )
}

function Bars({ kind, bars }: { kind: TopChartProps['kind']; bars: readonly NamedBar[] }) {
  const [pointedIndex, setPointedIndex] = useState<number | null>(null)
  const maxLeads = Math.max(...bars.map(getBarLength), 1)
  const firstBar = bars[0]
  const pointedBar = pointedIndex === null ? undefined : bars[pointedIndex]
  const getOffset = (index: number) => `${(index / bars.length) * 100}%`
  return (
    <>
      <div
        role="img"
        className={classes.names}
        onPointerLeave={() => setPointedIndex(null)}
        aria-label={reportTexts.chart.topAlternative({
          what: reportTexts.chart.names[kind],
          count: bars.length,
          first: firstBar?.name ?? '',
          most: formatFigure(firstBar?.leads),
          leads: formatFigure(sumBars(bars, ({ leads }) => leads)),
          sold: formatFigure(sumBars(bars, ({ counts }) => counts.sold)),
        })}
      >
        {bars.map((bar, index) => (
          <div
            key={bar.key}
            className={classes.name}
            data-pointed={index === pointedIndex || undefined}
            onPointerEnter={() => setPointedIndex(index)}
          >
            <span title={bar.name}>{bar.name}</span>
            <div className={classes.bar}>
              {layers.map(
                (layer) =>
                  bar.counts[layer] > 0 && (
                    <i
                      key={layer}
                      data-layer={layer}
                      style={{ width: `${(bar.counts[layer] / maxLeads) * 100}%` }}
                    />
                  ),
              )}
            </div>
            <b>{formatFigure(bar.leads)}</b>
          </div>
        ))}
      </div>
      {pointedBar && pointedIndex !== null && (
        <ChartTip
          title={pointedBar.name}
          bar={pointedBar}
          {...(pointedIndex < bars.length / 2
            ? { side: 'under', style: { top: getOffset(pointedIndex + 1) } }
            : { side: 'over', style: { bottom: getOffset(bars.length - pointedIndex) } })}
        />
      )}
    </>
  )
}
