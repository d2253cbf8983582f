import type { ReactNode } from 'react'
import { Card } from '../../components/display/card.tsx'
import classes from './chart.module.css'
import { layers } from './chart.rules.ts'
import { reportTexts } from './reports.texts.ts'

const texts = reportTexts.chart

type ChartCardProps = {
  /** `days`: upright bars with the line of the profit; `names`: lying bars. */
  of: 'days' | 'names'
  /** What is drawn; nothing while its code and its figures load. */
  children?: ReactNode
}

/** A chart's frame and legend, of the same height before and after the drawing comes. */
export function ChartCard({ of, children }: ChartCardProps) {
  return (
    <Card>
      <ul className={classes.legend}>
        {layers.map((layer) => (
          <li key={layer} data-layer={layer}>
            {texts[layer]}
          </li>
        ))}
        {of === 'days' && <li data-layer="profit">{texts.profit}</li>}
      </ul>
      <div className={classes.plot} data-of={of}>
        {children}
      </div>
    </Card>
  )
}
