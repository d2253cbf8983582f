import { lazy, useMemo } from 'react'
import { Card } from '../../components/display/card.tsx'
import { LazyPart } from '../../components/lazy-part.tsx'
import { isMoneyMetric } from '@karvon/contract/explore/explore.metrics.ts'
import chart from '../reports/chart.module.css'
import { CurrencyNote, readCurrencies } from '../reports/currency-note.tsx'
import { useTableState } from '../../lib/table-state.ts'
import { useFigureRenderer } from './explore.cells.tsx'
import { useExplore } from './explore.query.ts'
import { buildExploreQuery, readExploreState } from '@karvon/contract/explore/explore.address.ts'
import { exploreSpec } from './explore.state.ts'
import { ExploreTable } from './explore.table.tsx'
import { ExploreToolbar } from './explore.toolbar.tsx'

const ExploreChart = lazy(async () => ({ default: (await import('./explore-chart.tsx')).ExploreChart }))

/** Figures of leads by one or two dimensions, as a table, a pivot, lines or bars. A chart has its table below. */
export function ExplorePage() {
  const table = useTableState(exploreSpec)
  const { filters } = table.state
  const state = useMemo(() => readExploreState(filters), [filters])
  const query = useMemo(() => buildExploreQuery(state), [state])
  const result = useExplore(query)
  const renderFigure = useFigureRenderer(state.filters, result.data?.meta.period)
  const { data, isError } = result
  const isChart = state.view === 'line' || state.view === 'bars'
  const hasMoney = state.metrics.some(isMoneyMetric)
  const isPivot = state.view === 'pivot' || (isChart && state.columns !== undefined)
  return (
    <>
      <ExploreToolbar
        state={state}
        onChange={(changedFilters) => table.change({ filters: changedFilters })}
      />
      {hasMoney && (
        <CurrencyNote
          currencies={readCurrencies(data?.meta)}
          isOneSource={state.filters.source?.length === 1}
        />
      )}
      {isChart && !isError && (
        <LazyPart fallback={<ChartPlace />}>
          {data === undefined ? (
            <ChartPlace />
          ) : (
            <ExploreChart answer={data} kind={state.view === 'line' ? 'line' : 'bars'} />
          )}
        </LazyPart>
      )}
      <ExploreTable
        question={state}
        result={result}
        isPivot={isPivot && data?.meta.columns !== null}
        renderFigure={renderFigure}
      />
    </>
  )
}

/** The frame of a chart before its code and its figures are there, so that the table below does not move. */
function ChartPlace() {
  return (
    <Card>
      <p className={chart.legend}>{'\u00a0'}</p>
      <div className={chart.plot} data-of="days" />
    </Card>
  )
}
