import { useState, type ComponentType } from 'react'
import { LazyPart } from '../../components/lazy-part.tsx'
import type { ExploreFilters } from '@karvon/contract/explore/explore.filters.ts'
import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
import { createOptions } from '../../components/fields/options.ts'
import { Select } from '../../components/fields/select.tsx'
import { WithFeatureSpace } from '../../resources/feature.tsx'
import { exploreFilterTexts as texts } from './explore.filters.texts.ts'
import type { KeyFilterProps } from './explore.key-filter.tsx'
import type { OptionPeriod } from './explore.options.ts'

interface DimensionFiltersProps {
  /** The dimensions that a person may filter by. */
  readonly names: readonly DimensionName[]
  readonly filters: ExploreFilters
  /** The days whose leads give the options. */
  readonly period: OptionPeriod
  readonly onKeys: (name: DimensionName, keys: readonly string[]) => void
  /** The field of a filter. A screen may load its code when a filter is set. */
  readonly Field: ComponentType<KeyFilterProps>
}

/** The filters by dimensions that are set, each with its keys, and a select that adds one. */
export function DimensionFilters({ names, filters, period, onKeys, Field }: DimensionFiltersProps) {
  const [newName, setNewName] = useState<DimensionName | null>(null)
  const shownNames = names.filter((name) => filters[name] !== undefined || name === newName)
  return (
    <>
      <LazyPart>
        {shownNames.map((name) => (
          <Field
            key={name}
            name={name}
            keys={filters[name] ?? []}
            period={period}
            isNew={name === newName}
            onKeys={(keys) => {
              // The new filter stays while the address changes, also without keys. So its list stays open and keeps the focus.
              setNewName(name)
              onKeys(name, keys)
            }}
          />
        ))}
      </LazyPart>
      <WithFeatureSpace feature="explore">
        <ToolbarItem width={180}>
          <Select
            label={texts.addFilter}
            hideLabel
            placeholder={texts.addFilter}
            options={createOptions(
              names.filter((name) => !shownNames.includes(name)),
              texts.dimensions,
            )}
            value=""
            onChange={(value) => setNewName(names.find((name) => name === value) ?? null)}
          />
        </ToolbarItem>
      </WithFeatureSpace>
    </>
  )
}
