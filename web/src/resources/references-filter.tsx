import { joinFilter, splitFilter } from '@karvon/contract/lib/filter-values.ts'
import { maxFilterValues } from '@karvon/contract/lib/limits.ts'
import { ToolbarItem } from '../components/display/layout.tsx'
import { MultiSelect } from '../components/fields/multi-select.tsx'
import { useReferenceFilter, type ReferenceFilterProps } from './list-filters.tsx'

/** A filter by several rows, where the server takes several. Apart from the other filters: few screens load its field. */
export function ReferencesFilter(props: ReferenceFilterProps) {
  const value = props.table.state.filters[props.name] ?? ''
  const ids = value === '' ? [] : splitFilter(value, 'number')
  const { item, select, options, change } = useReferenceFilter(props, ids)
  // While the options load, or after the row is gone.
  const missing = ids.filter((id) => options.every((option) => option.value !== id))
  return (
    <ToolbarItem {...item}>
      <MultiSelect
        {...select}
        placeholder={props.any}
        clearable
        max={maxFilterValues}
        options={[...missing.map((id) => ({ value: id, label: `#${id}` })), ...options]}
        value={ids}
        onChange={(values) => change(joinFilter(values, 'number'))}
      />
    </ToolbarItem>
  )
}
