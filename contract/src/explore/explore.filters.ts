import { joinFilter, splitFilter, type FilterKind } from '../lib/filter-values.ts'
import { textDimensions } from '../lib/lead-texts.ts'
import { dimensionNames, dimensions, type DimensionName } from './explore.dimensions.ts'

/** The keys of the filtered dimensions; '' for leads without a text. A day, a week or a month has one key. */
export type ExploreFilters = Readonly<Partial<Record<DimensionName, readonly string[]>>>

/** How the keys of a dimension are one text. */
export const getFilterKind = (name: DimensionName): FilterKind =>
  dimensions[name].kind === 'text' ? 'text' : 'number'

/** The filters among the values of an address or a query. */
export function readFilters(values: Readonly<Partial<Record<string, string>>>): ExploreFilters {
  const without = new Set(values.without?.split(','))
  const filters: Partial<Record<DimensionName, string[]>> = {}
  for (const name of dimensionNames) {
    const keys = splitFilter(values[name] ?? '', getFilterKind(name)).filter((key) => key !== '')
    if (keys.length > 0) filters[name] = keys
  }
  for (const name of textDimensions) if (without.has(name)) filters[name] = [...(filters[name] ?? []), '']
  return filters
}

/** The filters as the values of an address or a query. */
export function writeFilters(filters: ExploreFilters): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of dimensionNames) {
    const keys = filters[name]?.filter((key) => key !== '') ?? []
    if (keys.length > 0) values[name] = joinFilter(keys, getFilterKind(name))
  }
  const without = textDimensions.filter((name) => filters[name]?.includes(''))
  return { ...values, ...(without.length > 0 && { without: without.join(',') }) }
}

/** The values of the address for the keys of a dimension. Without keys, it removes the filter. */
export function changeFilter(
  filters: ExploreFilters,
  name: DimensionName,
  keys: readonly string[],
): Record<string, string> {
  const values = writeFilters({ ...filters, [name]: keys })
  return { [name]: values[name] ?? '', without: values.without ?? '' }
}
