import { useState } from 'react'
import type { ExploreFilters } from '@karvon/contract/explore/explore.address.ts'
import { dimensions, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { maxFilterValues } from '@karvon/contract/lib/limits.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
import { MultiSelect } from '../../components/fields/multi-select.tsx'
import { Select } from '../../components/fields/select.tsx'
import { WithFeatureInPlace } from '../../resources/feature.tsx'
import { formatFilterKey, isNoneKey } from './explore.format.ts'
import {
  noneOption,
  readKeyOption,
  toKeyOption,
  useMemberOptions,
  type OptionPeriod,
} from './explore.options.ts'
import { exploreTexts as texts } from './explore.texts.ts'

interface DimensionFiltersProps {
  /** The dimensions that a person may filter by. */
  readonly names: readonly DimensionName[]
  readonly filters: ExploreFilters
  /** The days whose leads give the options. */
  readonly period: OptionPeriod
  readonly onKeys: (name: DimensionName, keys: readonly string[]) => void
}

/** The filters by dimensions that are set, each with its keys, and a select that adds one. */
export function DimensionFilters({ names, filters, period, onKeys }: DimensionFiltersProps) {
  const [newName, setNewName] = useState<DimensionName | null>(null)
  const shownNames = names.filter((name) => filters[name] !== undefined || name === newName)
  return (
    <>
      {shownNames.map((name) => (
        <KeyFilter
          key={name}
          name={name}
          keys={filters[name] ?? []}
          period={period}
          isNew={name === newName}
          onKeys={(keys) => {
            // It stays while the address changes, and after its last key, so its list stays open and it keeps the focus.
            setNewName(name)
            onKeys(name, keys)
          }}
        />
      ))}
      <WithFeatureInPlace feature="explore">
        <ToolbarItem width={180}>
          <Select
            label={texts.addFilter}
            hideLabel
            placeholder={texts.addFilter}
            options={names
              .filter((name) => !shownNames.includes(name))
              .map((name) => ({ value: name, label: texts.dimensions[name] }))}
            value=""
            onChange={(value) => setNewName(names.find((name) => name === value) ?? null)}
          />
        </ToolbarItem>
      </WithFeatureInPlace>
    </>
  )
}

interface KeyFilterProps {
  readonly name: DimensionName
  readonly keys: readonly string[]
  readonly period: OptionPeriod
  /** A person has just newName it. */
  readonly isNew: boolean
  readonly onKeys: (keys: readonly string[]) => void
}

/** A filter by several keys; by one day, week or month. */
function KeyFilter({ name, keys, period, isNew, onKeys }: KeyFilterProps) {
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
  const label = texts.dimensions[name]
  const prefix = texts.filterPrefix({ name: label })
  const select = {
    label: texts.filterValue({ name: label }),
    hideLabel: true,
    focusOnMount: isNew,
    loading: isLoading,
  }
  const placeholder = texts.any({ name: label.toLowerCase() })
  const values = chosenOptions.map(({ value }) => value)
  const change = (options: readonly string[]) =>
    onKeys(options.map((option) => readKeyOption(option, kind === 'text')))
  return (
    <ToolbarItem width={kind === 'period' ? 190 : 260}>
      {kind === 'period' ? (
        <Select
          {...select}
          options={options.map((option) => ({ ...option, label: `${prefix} ${option.label}` }))}
          emptyOption={placeholder}
          value={values[0] ?? ''}
          onChange={(option) => change(option === '' ? [] : [option])}
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
