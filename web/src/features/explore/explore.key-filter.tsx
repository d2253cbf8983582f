import { dimensions, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { maxFilterValues } from '@karvon/contract/lib/limits.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
import { MultiSelect } from '../../components/fields/multi-select.tsx'
import { Select } from '../../components/fields/select.tsx'
import { exploreFilterTexts as texts } from './explore.filters.texts.ts'
import { formatFilterKey, isNoneKey } from './explore.member.format.ts'
import {
  noneOption,
  readKeyOption,
  toKeyOption,
  useMemberOptions,
  type OptionPeriod,
} from './explore.options.ts'

export interface KeyFilterProps {
  readonly name: DimensionName
  readonly keys: readonly string[]
  readonly period: OptionPeriod
  /** A person has just added it. */
  readonly isAdded: boolean
  readonly onKeys: (keys: readonly string[]) => void
}

/** A filter by several keys; by one day, week or month. */
export function KeyFilter({ name, keys, period, isAdded, onKeys }: KeyFilterProps) {
  const { options: listed, isLoading } = useMemberOptions(name, period)
  const { kind } = dimensions[name]
  const chosen = keys.map((key) => ({
    value: isNoneKey(name, key) ? noneOption : toKeyOption(key),
    label: formatFilterKey(name, { key, name: null }),
  }))
  // A key without leads in the period is no option, and stays visible.
  const kept = chosen.filter(({ value }) => listed.every((option) => option.value !== value))
  const options = [...kept, ...listed]
  const label = texts.dimensions[name]
  const prefix = texts.filterPrefix({ name: label })
  const select = {
    label: texts.filterValue({ name: label }),
    hideLabel: true,
    focusOnMount: isAdded,
    loading: isLoading,
  }
  const any = texts.any({ name: label.toLowerCase() })
  const values = chosen.map(({ value }) => value)
  const change = (options: readonly string[]) =>
    onKeys(options.map((option) => readKeyOption(option, kind === 'text')))
  return (
    <ToolbarItem width={kind === 'period' ? 190 : 260}>
      {kind === 'period' ? (
        <Select
          {...select}
          options={options.map((option) => ({ ...option, label: `${prefix} ${option.label}` }))}
          emptyOption={any}
          value={values[0] ?? ''}
          onChange={(option) => change(option === '' ? [] : [option])}
        />
      ) : (
        <MultiSelect
          {...select}
          options={options}
          prefix={prefix}
          placeholder={any}
          clearable
          max={maxFilterValues}
          value={values}
          onChange={change}
        />
      )}
    </ToolbarItem>
  )
}
