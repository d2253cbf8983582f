import { dimensions, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { Member } from '@karvon/contract/explore/explore.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { exploreFilterTexts } from './explore.filters.texts.ts'
import { exploreMemberTexts as texts } from './explore.member.texts.ts'

const hasNone = (dimension: DimensionName): dimension is keyof typeof exploreFilterTexts.without =>
  Object.hasOwn(exploreFilterTexts.without, dimension)

const isWeekday = (key: string): key is `${keyof typeof texts.weekdays}` => Object.hasOwn(texts.weekdays, key)

/** The visible name of a key of a dimension. */
export function formatMember(dimension: DimensionName, { kind, key, name }: Member): string {
  if (kind === 'rest') return texts.rest
  if (kind === 'none' || key === null) return texts.none
  if (dimension === 'day' || dimension === 'week') return formatDay(key)
  if (dimension === 'month') return formatDay(key).slice(3)
  if (dimension === 'weekday') return isWeekday(key) ? texts.weekdays[key] : key
  if (dimension === 'hour') return `${key.padStart(2, '0')}:00`
  return name ?? (dimensions[dimension].kind === 'id' ? `#${key}` : key)
}

/** Whether the key of a filter means leads without a value. */
export function isNoneKey(dimension: DimensionName, key: string | null): boolean {
  const { kind } = dimensions[dimension]
  return key === null || (kind === 'text' && key === '') || (kind === 'id' && key === '0')
}

/** The visible name of a key in the filter of a dimension. */
export function formatFilterKey(
  dimension: DimensionName,
  { key, name }: Pick<Member, 'key' | 'name'>,
): string {
  if (!isNoneKey(dimension, key)) return formatMember(dimension, { kind: 'value', key, name })
  return hasNone(dimension) ? exploreFilterTexts.without[dimension] : texts.none
}
