import { changeFilter } from '@karvon/contract/explore/explore.filters.ts'
import { dimensionNames } from '@karvon/contract/explore/explore.dimensions.ts'
import { metricNames } from '@karvon/contract/explore/explore.metrics.ts'
import { comparisonNames } from '@karvon/contract/explore/explore.periods.ts'
import { periodNames } from '@karvon/contract/lib/period-names.ts'
import { lazy, useState } from 'react'
import { LazyDialog } from '../../components/lazy-part.tsx'
import buttonClasses from '../../components/actions/button.module.css'
import { DateRange } from '../../components/date-range/date-range.tsx'
import { Chips } from '../../components/display/chips.tsx'
import { Toolbar, ToolbarItem } from '../../components/display/layout.tsx'
import { MultiSelect } from '../../components/fields/multi-select.tsx'
import { createOptions } from '../../components/fields/options.ts'
import { Select } from '../../components/fields/select.tsx'
import { getToday } from '../../lib/format/date-time.format.ts'
import { restoreTarget } from '../../lib/session.draft.ts'
import { useSettings } from '../../lib/settings.store.ts'
import type { TableChange } from '../../lib/table-state.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { WithFeatureSpace } from '../../resources/feature.tsx'
import { ListTools } from '../../resources/list-tools/list-tools.tsx'
import { DimensionFilters } from './explore.filters.tsx'
import { KeyFilter } from './explore.key-filter.tsx'
import { useExploreCall } from './explore.query.ts'
import {
  buildExploreQuery,
  topSizes,
  viewNames,
  type ExploreState,
} from '@karvon/contract/explore/explore.address.ts'
import { exploreFilterTexts } from './explore.filters.texts.ts'
import { exploreTexts as texts } from './explore.texts.ts'

const dimensionOptions = createOptions(dimensionNames, exploreFilterTexts.dimensions)
const metricOptions = createOptions(metricNames, texts.metricNames)
const periodOptions = createOptions(periodNames, texts.periods)
const comparisonOptions = createOptions(comparisonNames, texts.comparisons)
const topOptions = topSizes.map((count) => ({ value: count, label: texts.topOf({ count }) }))

const ExploreAlert = lazy(async () => ({ default: (await import('./explore-alert.tsx')).ExploreAlert }))

/** Opens the form of a new alert rule about the figure on the screen. */
function AlertButton({ state }: { state: ExploreState }) {
  const [isOpen, setIsOpen] = useState(() => restoreTarget('new-alert-rule') === 'metric')
  const close = () => setIsOpen(false)
  return (
    <>
      <button type="button" className={buttonClasses.button} onClick={() => setIsOpen(true)}>
        {texts.alert}
      </button>
      <LazyDialog opened={isOpen} onClose={close}>
        <ExploreAlert state={state} texts={texts} opened={isOpen} onClose={close} />
      </LazyDialog>
    </>
  )
}

interface ExploreToolbarProps {
  readonly state: ExploreState
  readonly onChange: (filters: NonNullable<TableChange['filters']>) => void
}

/** What is asked: dimensions, metrics, period, comparison, filters and the view. All of it is in the address. */
export function ExploreToolbar({ state, onChange }: ExploreToolbarProps) {
  const { period, from, to, filters } = state
  const today = getToday(useSettings().time_zone)
  const optionPeriod = period === undefined ? { date_from: from, date_to: to } : { period }
  return (
    <>
      <Toolbar>
        <DimensionFields state={state} onChange={onChange} />
        <FigureFields state={state} onChange={onChange} />
      </Toolbar>
      <Toolbar isUnlabelled actions={<ViewActions state={state} onChange={onChange} />}>
        <ToolbarItem width={250}>
          <DateRange
            label={texts.ownDates}
            value={from !== undefined && to !== undefined ? { start: from, end: to } : null}
            onChange={(value) => onChange({ from: value?.start, to: value?.end })}
            today={today}
            clearable
          />
        </ToolbarItem>
        <DimensionFilters
          names={dimensionNames}
          Field={KeyFilter}
          filters={filters}
          period={optionPeriod}
          onKeys={(name, keys) => onChange(changeFilter(filters, name, keys))}
        />
      </Toolbar>
    </>
  )
}

/** The dimensions of the rows and of the columns. */
function DimensionFields({ state: { rows, columns, view }, onChange }: ExploreToolbarProps) {
  return (
    <>
      <ToolbarItem width={142}>
        <Select
          label={texts.rows}
          required
          options={dimensionOptions}
          value={rows}
          onChange={(value) => onChange({ rows: value })}
        />
      </ToolbarItem>
      <ToolbarItem width={142}>
        <Select
          label={texts.columns}
          emptyOption={texts.noColumns}
          options={dimensionOptions.filter(({ value }) => value !== rows)}
          value={columns ?? ''}
          onChange={(value) =>
            onChange({ columns: value, ...(view === 'pivot' && value === '' && { view: 'table' }) })
          }
        />
      </ToolbarItem>
    </>
  )
}

/** The metrics, their period, the comparison and the number of keys. */
function FigureFields({ state: { metrics, period, compare, top }, onChange }: ExploreToolbarProps) {
  return (
    <>
      <ToolbarItem width={296}>
        <MultiSelect
          label={texts.metrics}
          required
          options={metricOptions}
          value={metrics}
          onChange={(values) => onChange({ metrics: values.join(',') })}
        />
      </ToolbarItem>
      <ToolbarItem width={182} phoneWidth={180}>
        <Select
          label={texts.period}
          options={periodOptions}
          placeholder={texts.ownDates}
          clearable={false}
          value={period ?? ''}
          onChange={(value) => onChange({ period: value, from: '', to: '' })}
        />
      </ToolbarItem>
      <ToolbarItem width={200} phoneWidth={180}>
        <Select
          label={texts.compare}
          emptyOption={texts.noComparison}
          options={comparisonOptions}
          disabled={period === 'all'}
          value={compare ?? ''}
          onChange={(value) => onChange({ compare: value })}
        />
      </ToolbarItem>
      <ToolbarItem width={102}>
        <Select
          label={texts.top}
          required
          options={topOptions}
          value={top}
          onChange={(value) => onChange({ top: value })}
        />
      </ToolbarItem>
    </>
  )
}

/** The choice of the view, and what can be done with it. */
function ViewActions({ state, onChange }: ExploreToolbarProps) {
  const call = useExploreCall()
  const views = viewNames.filter((name) => name !== 'pivot' || state.columns !== undefined)
  return (
    <>
      <Chips
        label={texts.view}
        chips={createOptions(views, texts.views)}
        value={state.view}
        onChange={(value) => onChange({ view: value })}
      />
      <WithFeatureSpace feature="alerts">
        <AlertButton state={state} />
      </WithFeatureSpace>
      <ListTools canSchedule />
      <ExportMenu call={call} query={{ ...buildExploreQuery(state) }} name="explore" />
    </>
  )
}
