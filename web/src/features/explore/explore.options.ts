import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreSearch } from '@karvon/contract/explore/explore.address.ts'
import { maxExploreRows } from '@karvon/contract/lib/limits.ts'
import type { Option } from '../../components/fields/options.ts'
import { useFeature } from '../../lib/settings.store.ts'
import { formatFilterKey } from './explore.member.format.ts'
import { useExplore } from './explore.query.ts'

/** In a select, the key of leads without a value. */
export const noneOption = 'none'
/** The option of a key in a select. The prefix distinguishes a text from {@link noneOption}. */
export const toKeyOption = (key: string): string => `key:${key}`

/** The key of an option. */
export function readKeyOption(option: string, isText: boolean): string {
  if (option === noneOption) return isText ? '' : '0'
  return option.slice('key:'.length)
}

/** The days of a question. */
export type OptionPeriod = Pick<ExploreSearch, 'period' | 'date_from' | 'date_to'>

/** The keys of a dimension in the period, those with the most leads, as options of its filter. */
export function useMemberOptions(
  dimension: DimensionName,
  period: OptionPeriod,
): { options: readonly Option[]; isLoading: boolean } {
  const query = { rows: dimension, metrics: 'leads', top_rows: maxExploreRows, ...period }
  const answer = useExplore(query, useFeature('explore'))
  const isLoading = answer.isLoading || answer.isPlaceholderData
  const members = answer.isPlaceholderData ? [] : (answer.data?.meta.row_totals ?? [])
  const options = members
    .filter(({ member }) => member.kind !== 'rest')
    .map(({ member }) => ({
      value: member.kind === 'none' ? noneOption : toKeyOption(member.key ?? ''),
      label: formatFilterKey(dimension, member.kind === 'none' ? { key: null, name: null } : member),
    }))
  return { options, isLoading }
}
