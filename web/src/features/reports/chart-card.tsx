import type { ReactNode } from 'react'
import { Card } from '../../components/display/card.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import classes from './chart.module.css'
import { layers } from './chart.rules.ts'
import { reportTexts } from './reports.texts.ts'

const texts = reportTexts.chart

type ChartCardProps = {
  /** `days`: vertical bars with the profit line. `names`: horizontal bars. */
  kind: 'days' | 'names'
  /** The answer has no figures. */
  isEmpty?: boolean
  /** The drawing. Absent while its code and its figures load. */
  children?: ReactNode
}

/** The frame and legend of a chart. It keeps its height before and after the drawing is there. */
export function ChartCard({ kind, isEmpty = false, children }: ChartCardProps) {
  return (
    <Card>
      <ul className={classes.legend}>
        {layers.map((layer) => (
          <li key={layer} data-layer={layer}>
            {texts[layer]}
          </li>
        ))}
        {kind === 'days' && <li data-layer="profit">{texts.profit}</li>}
      </ul>
      <div className={classes.plot} data-of={kind}>
        {isEmpty ? <EmptyState /> : children}
      </div>
    </Card>
  )
}
