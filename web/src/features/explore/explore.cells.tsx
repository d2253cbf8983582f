import { useCallback, type ReactNode } from 'react'
import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreFilters } from '@karvon/contract/explore/explore.filters.ts'
import type { ExploreAnswer, ExploreFigures, Member } from '@karvon/contract/explore/explore.ts'
import { metricKinds, type MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import { findLeadsSearch } from '@karvon/contract/explore/explore.leads.ts'
import { TwoLines } from '../../components/display/layout.tsx'
import { useFeature } from '../../lib/settings.store.ts'
import { useLeadsLink } from '../reports/drill-down.tsx'
import { formatDifference, formatMetric, formatPercent } from './explore.format.ts'
import { exploreTexts as texts } from './explore.texts.ts'

/** The members of an answer that a figure is of. */
export type FigureMembers = readonly (readonly [DimensionName, Member])[]

export type RenderFigure = (figures: ExploreFigures, metric: MetricName, members: FigureMembers) => ReactNode

/** Renders a figure as a link to its leads, with its change in a second line. A quotient counts no leads. */
export function useFigureRenderer(
  filters: ExploreFilters,
  period: ExploreAnswer['meta']['period'] | undefined,
): RenderFigure {
  const renderLink = useLeadsLink()
  const hasLeads = useFeature('leads')
  return useCallback(
    ({ metrics, compared }, metric, members) => {
      const value = metrics[metric]
      const text = formatMetric(metric, value)
      const isSum = metricKinds[metric] === 'count' || metricKinds[metric] === 'money'
      const search =
        hasLeads && isSum && value && period !== undefined
          ? findLeadsSearch({ filters, period, members, metric })
          : null
      const figure = search === null ? text : renderLink(text, toPageSearch(search))
      const change = compared?.[metric]
      if (change === undefined) return figure
      const difference = formatDifference(metric, change.difference)
      const secondLine =
        change.difference === null
          ? difference
          : texts.change({ difference, percent: formatPercent(change.difference === 0 ? 0 : change.percent) })
      return <TwoLines first={figure} second={secondLine} />
    },
    [filters, period, hasLeads, renderLink],
  )
}

/** The list of leads in the web names its days `from` and `to`. */
const toPageSearch = ({ start_date: from, end_date: to, ...rest }: Record<string, string>) => ({
  ...rest,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})
