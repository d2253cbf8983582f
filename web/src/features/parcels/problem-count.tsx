import { formatNumber } from '../../lib/format/number.format.ts'
import classes from './problems.module.css'
import { useProblemCounts } from './problems.query.ts'
import { problemTexts as texts } from './problems.texts.ts'

/** The number of parcels with a problem. Nothing when there are none or the host does not count. */
export function ProblemCount() {
  const { data } = useProblemCounts()
  if (!data?.any) return null
  return (
    <b className={classes.count}>
      {formatNumber(data.any)}
      <span className="visually-hidden"> {texts.waiting}</span>
    </b>
  )
}
