import { useState } from 'react'
import { ChartCard } from './chart-card.tsx'
import { ChartTip } from './chart-tip.tsx'
import classes from './chart.module.css'
import { barLength, layers, namedBars, sumOf, type NamedBar } from './chart.rules.ts'
import { formatFigure } from './report.format.ts'
import { useReport, type ReportNarrowing, type ReceivedGroupRow } from './report.query.ts'
import { reportTexts } from './reports.texts.ts'

type TopChartProps = { kind: 'offers' | 'streams'; narrowing: ReportNarrowing }

/** The ten offers or streams with the most leads as bars of their states, however the table is sorted. */
export function TopChart({ kind, narrowing }: TopChartProps) {
  const { data, isError } = useReport<ReceivedGroupRow>(kind, {
    page: 1,
    per_page: 10,
    sort: '-leads',
    ...narrowing,
  })
  const bars = namedBars(data?.items ?? [])
  if (isError || (data && bars.length === 0)) return null
  return <ChartCard of="names">{bars.length > 0 && <Bars kind={kind} bars={bars} />}</ChartCard>
}

function Bars({ kind, bars }: { kind: TopChartProps['kind']; bars: readonly NamedBar[] }) {
  const [pointed, setPointed] = useState<number | null>(null)
  const most = Math.max(...bars.map(barLength), 1)
  const first = bars[0]
  const at = pointed === null ? undefined : bars[pointed]
  const place = (index: number) => `${(index / bars.length) * 100}%`
  return (
    <>
      <div
        role="img"
        className={classes.names}
        onPointerLeave={() => setPointed(null)}
        aria-label={reportTexts.chart.topAlternative(
          kind,
          bars.length,
          first?.name ?? '',
          formatFigure(first?.leads),
          formatFigure(sumOf(bars, ({ leads }) => leads)),
          formatFigure(sumOf(bars, ({ counts }) => counts.sold)),
        )}
      >
        {bars.map((bar, index) => (
          <div
            key={bar.key}
            className={classes.name}
            data-pointed={index === pointed || undefined}
            onPointerEnter={() => setPointed(index)}
          >
            <span title={bar.name}>{bar.name}</span>
            <div className={classes.bar}>
              {layers.map(
                (layer) =>
                  bar.counts[layer] > 0 && (
                    <i
                      key={layer}
                      data-layer={layer}
                      style={{ width: `${(bar.counts[layer] / most) * 100}%` }}
                    />
                  ),
              )}
            </div>
            <b>{formatFigure(bar.leads)}</b>
          </div>
        ))}
      </div>
      {at && pointed !== null && (
        <ChartTip
          title={at.name}
          bar={at}
          {...(pointed < bars.length / 2
            ? { side: 'under', style: { top: place(pointed + 1) } }
            : { side: 'over', style: { bottom: place(bars.length - pointed) } })}
        />
      )}
    </>
  )
}
