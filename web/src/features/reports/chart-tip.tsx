import classes from './chart.module.css'
import { layers, type ChartBar } from './chart.rules.ts'
import { formatFigure } from '../../lib/format/money.format.ts'
import { reportTexts } from './reports.texts.ts'

const texts = reportTexts.chart

type ChartTipProps = {
  title: string
  bar: ChartBar
  /** The side of the pointed bar on which the tooltip is, and its position. */
  side: 'left' | 'right' | 'over' | 'under'
  style: { left?: string; top?: string; bottom?: string }
}

/** The figures of the pointed bar. Screen readers read them in the table. */
export function ChartTip({ title, bar, side, style }: ChartTipProps) {
  return (
    <div className={classes.tip} aria-hidden="true" data-side={side} style={style}>
      <b>{title}</b>
      {layers.map((layer) => (
        <span key={layer} data-layer={layer}>
          {texts[layer]} <b>{formatFigure(bar.counts[layer])}</b>
        </span>
      ))}
      <span data-layer="profit">
        {texts.profit} <b>{formatFigure(bar.profit)}</b>
      </span>
    </div>
  )
}
