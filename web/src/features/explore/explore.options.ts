import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { Option } from '../../components/fields/radio-group.tsx'
import { formatMember } from './explore.format.ts'
import { useExplore } from './explore.query.ts'
import { buildExploreQuery, type ExploreState } from '@karvon/contract/explore/explore.address.ts'
import { maxExploreRows } from '@karvon/contract/lib/limits.ts'

/** In a select, the key of leads without a value. */
export const noneOption = 'none'
/** In a select, a key. The prefix keeps a text apart from {@link noneOption}. */
export const toKeyOption = (key: string): string => `key:${key}`

/** The key of an option. */
export function readKeyOption(option: string, isText: boolean): string {
  if (option === noneOption) return isText ? '' : '0'
  return option.slice('key:'.length)
}

/** The keys of a dimension in the period, those with the most leads, as options of its filter. */
export function useMemberOptions(dimension: DimensionName, state: ExploreState): readonly Option[] {
  const { period, from, to } = buildPeriod(state)
  const answer = useExplore({
    rows: dimension,
    metrics: 'leads',
    top_rows: maxExploreRows,
    ...(period !== undefined && { period }),
    ...(from !== undefined && { date_from: from, date_to: to }),
  })
  const members = answer.isPlaceholderData ? [] : (answer.data?.meta.row_totals ?? [])
  return members
    .filter(({ member }) => member.kind !== 'rest')
    .map(({ member }) => ({
      value: member.kind === 'none' ? noneOption : toKeyOption(member.key ?? ''),
      label: formatMember(dimension, member),
    }))
}

const buildPeriod = (state: ExploreState) => {
  const { period, date_from, date_to } = buildExploreQuery(state)
  return { period, from: date_from, to: date_to }
}
