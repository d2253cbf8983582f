import { parcelProblems } from '@karvon/contract/parcels/problems.ts'
import { Chips } from '../../components/display/chips.tsx'
import type { TableControl } from '../../lib/table-state.ts'
import { useProblemCounts } from './problems.query.ts'
import { problemTexts as texts } from './problems.texts.ts'

/** The filter value for any problem, in the URL and on the wire. */
const anyProblem = 'any'

/** The chips of parcels with a problem: one for all, and while it is on, one for each reason. */
export function ProblemChips({ table }: { table: TableControl }) {
  const { data } = useProblemCounts()
  const { problem } = table.state.filters
  if (!data) return null
  const setProblem = (value: string | undefined) => table.change({ filters: { problem: value } })
  const reasons = parcelProblems.filter((reason) => data[reason] > 0 || reason === problem)
  return (
    <>
      <Chips
        label={texts.chip}
        chips={[{ value: anyProblem, label: texts.chip, count: data.any, isUrgent: data.any > 0 }]}
        value={problem === undefined ? '' : anyProblem}
        onChange={(value) => setProblem(problem === undefined ? value : undefined)}
      />
      {problem !== undefined && (
        <Chips
          label={texts.why}
          chips={[
            { value: anyProblem, label: texts.any },
            ...reasons.map((value) => ({ value, label: texts.reasons[value], count: data[value] })),
          ]}
          value={problem}
          onChange={setProblem}
        />
      )}
    </>
  )
}
