import { dimensions, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { maxFilterValues } from '@karvon/contract/lib/limits.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
import { MultiSelect } from '../../components/fields/multi-select.tsx'
import { Select } from '../../components/fields/select.tsx'
import { exploreFilterTexts } from './explore.filters.texts.ts'
import { exploreMemberTexts as texts } from './explore.member.texts.ts'
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
  readonly isNew: boolean
  readonly onKeys: (keys: readonly string[]) => void
}

/** A filter by several keys; by one day, week or month. */
export function KeyFilter({ name, keys, period, isNew, onKeys }: KeyFilterProps) {
  const { options: memberOptions, isLoading } = useMemberOptions(name, period)
  const { kind } = dimensions[name]
  const chosenOptions = keys.map((key) => ({
    value: isNoneKey(name, key) ? noneOption : toKeyOption(key),
    label: formatFilterKey(name, { key, name: null }),
  }))
  // A key without leads in the period is no option, and stays visible.
  const otherOptions = chosenOptions.filter(({ value }) =>
    memberOptions.every((option) => option.value !== value),
  )
  const options = [...otherOptions, ...memberOptions]
  const label = exploreFilterTexts.dimensions[name]
  const prefix = texts.filterPrefix({ name: label })
  const select = {
    label: texts.filterValue({ name: label }),
    hideLabel: true,
    focusOnMount: isNew,
    loading: isLoading,
  }
  const placeholder = texts.any({ name: label.toLowerCase() })
  const values = chosenOptions.map(({ value }) => value)
  const change = (newValues: readonly string[]) =>
    onKeys(newValues.map((value) => readKeyOption(value, kind === 'text')))
  return (
    <ToolbarItem width={kind === 'period' ? 190 : 260}>
      {kind === 'period' ? (
        <Select
          {...select}
          options={options.map((option) => ({ ...option, label: `${prefix} ${option.label}` }))}
          emptyOption={placeholder}
          value={values[0] ?? ''}
          onChange={(value) => change(value === '' ? [] : [value])}
        />
      ) : (
        <MultiSelect
          {...select}
          options={options}
          prefix={prefix}
          placeholder={placeholder}
          clearable
          max={maxFilterValues}
          value={values}
          onChange={change}
        />
      )}
    </ToolbarItem>
  )
}
