import { useState } from 'react'
import {
  dimensionNames,
  dimensions,
  type DimensionName,
} from '@karvon/contract/explore/explore.dimensions.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
import { MultiSelect } from '../../components/fields/multi-select.tsx'
import { Select } from '../../components/fields/select.tsx'
import type { TableChange } from '../../lib/table-state.ts'
import { formatMember } from './explore.format.ts'
import { noneOption, readKeyOption, toKeyOption, useMemberOptions } from './explore.options.ts'
import { changeFilter, type ExploreState } from '@karvon/contract/explore/explore.address.ts'
import { exploreTexts as texts } from './explore.texts.ts'

interface ExploreFiltersProps {
  readonly state: ExploreState
  readonly onChange: (filters: NonNullable<TableChange['filters']>) => void
}

/** The filters that are set, each with its keys, and a select that adds one. */
export function ExploreFilters({ state, onChange }: ExploreFiltersProps) {
  const [newName, setNewName] = useState<DimensionName | null>(null)
  const shownNames = dimensionNames.filter((name) => state.filters[name] !== undefined || name === newName)
  return (
    <>
      {shownNames.map((name) => (
        <KeyFilter
          key={name}
          name={name}
          state={state}
          onKeys={(keys) => {
            // It stays while the address changes, and after its last key, so its list stays open and it keeps the focus.
            setNewName(name)
            onChange(changeFilter(state, name, keys))
          }}
        />
      ))}
      <ToolbarItem width={160}>
        <Select
          label={texts.addFilter}
          hideLabel
          placeholder={texts.addFilter}
          options={dimensionNames
            .filter((name) => !shownNames.includes(name))
            .map((name) => ({ value: name, label: texts.dimensions[name] }))}
          value=""
          onChange={(value) => setNewName(dimensionNames.find((name) => name === value) ?? null)}
        />
      </ToolbarItem>
    </>
  )
}

interface KeyFilterProps {
  readonly name: DimensionName
  readonly state: ExploreState
  readonly onKeys: (keys: readonly string[]) => void
}

/** A filter by any number of keys; by one day, week or month. */
function KeyFilter({ name, state, onKeys }: KeyFilterProps) {
  const memberOptions = useMemberOptions(name, state)
  const { kind } = dimensions[name]
  const isNone = (key: string) => (kind === 'text' ? key === '' : kind === 'id' && key === '0')
  const keys = state.filters[name] ?? []
  const chosenOptions = keys.map((key) => ({
    value: isNone(key) ? noneOption : toKeyOption(key),
    label: formatMember(name, { kind: isNone(key) ? 'none' : 'value', key, name: null }),
  }))
  // A key without leads in the period is no option, and stays visible.
  const otherOptions = chosenOptions.filter(({ value }) =>
    memberOptions.every((option) => option.value !== value),
  )
  const label = texts.dimensions[name]
  const select = {
    label: texts.filterValue({ name: label }),
    options: [...otherOptions, ...memberOptions],
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
          emptyOption={placeholder}
          value={values[0] ?? ''}
          onChange={(option) => change(option === '' ? [] : [option])}
        />
      ) : (
        <MultiSelect {...select} placeholder={placeholder} value={values} onChange={change} />
      )}
    </ToolbarItem>
  )
}
