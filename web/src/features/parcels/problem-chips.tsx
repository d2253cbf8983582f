import { parcelProblems } from '@karvon/contract/parcels/parcels.ts'
import { Chips } from '../../components/display/chips.tsx'
import type { TableControl } from '../../lib/table-state.ts'
import { useProblemCounts } from './problems.query.ts'
import { problemTexts as texts } from './problems.texts.ts'

/** Any reason, as the URL and the wire name it. */
const any = 'any'

/** The parcels that need a person: all of them, and once they are looked at, those of each reason. */
export function ProblemChips({ table }: { table: TableControl }) {
  const { data } = useProblemCounts()
  const { problem } = table.state.filters
  if (!data) return null
  const choose = (value: string | undefined) => table.change({ filters: { problem: value } })
  const reasons = parcelProblems.filter((reason) => data[reason] > 0 || reason === problem)
  return (
    <>
      <Chips
        label={texts.chip}
        chips={[{ value: any, label: texts.chip, count: data.any, hot: data.any > 0 }]}
        value={problem === undefined ? '' : any}
        onChange={(value) => choose(problem === undefined ? value : undefined)}
      />
      {problem !== undefined && (
        <Chips
          label={texts.why}
          chips={[
            { value: any, label: texts.any },
            ...reasons.map((value) => ({ value, label: texts.reasons[value], count: data[value] })),
          ]}
          value={problem}
          onChange={choose}
        />
      )}
    </>
  )
}
