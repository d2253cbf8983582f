import { useState } from 'react'
import {
  dimensionNames,
  dimensions,
  type DimensionName,
} from '@karvon/contract/explore/explore.dimensions.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
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
  const [added, setAdded] = useState<DimensionName | null>(null)
  const shown = dimensionNames.filter((name) => state.filters[name] !== undefined || name === added)
  return (
    <>
      {shown.map((name) => (
        <KeyFilter
          key={name}
          name={name}
          state={state}
          onKey={(key) => {
            setAdded(null)
            onChange(changeFilter(state, name, key))
          }}
        />
      ))}
      <ToolbarItem width={160}>
        <Select
          label={texts.addFilter}
          hideLabel
          placeholder={texts.addFilter}
          options={dimensionNames
            .filter((name) => !shown.includes(name))
            .map((name) => ({ value: name, label: texts.dimensions[name] }))}
          value=""
          onChange={(value) => setAdded(dimensionNames.find((name) => name === value) ?? null)}
        />
      </ToolbarItem>
    </>
  )
}

interface KeyFilterProps {
  readonly name: DimensionName
  readonly state: ExploreState
  readonly onKey: (key: string | undefined) => void
}

function KeyFilter({ name, state, onKey }: KeyFilterProps) {
  const options = useMemberOptions(name, state)
  const { kind } = dimensions[name]
  const key = state.filters[name]
  const isNone = key !== undefined && (kind === 'text' ? key === '' : kind === 'id' && key === '0')
  const value = key === undefined ? '' : isNone ? noneOption : toKeyOption(key)
  // A key without leads in the period is no option, and stays visible.
  const isListed = value === '' || options.some((option) => option.value === value)
  const kept = {
    value,
    label: formatMember(name, { kind: isNone ? 'none' : 'value', key: key ?? null, name: null }),
  }
  const label = texts.dimensions[name]
  return (
    <ToolbarItem width={190}>
      <Select
        label={texts.filterValue({ name: label })}
        hideLabel
        emptyOption={texts.any({ name: label.toLowerCase() })}
        options={isListed ? options : [kept, ...options]}
        value={value}
        onChange={(option) => onKey(readKeyOption(option, kind === 'text'))}
      />
    </ToolbarItem>
  )
}
