import { useMemo, useState, type ReactNode } from 'react'
import type { Feature } from '@karvon/contract/lib/features.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import type { Field } from '@karvon/contract/lib/field.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { Button } from '../components/actions/button.tsx'
import { PlusIcon } from '../components/actions/icons.tsx'
import { ToolbarItem } from '../components/display/layout.tsx'
import { LazyDialog } from '../components/lazy-part.tsx'
import { startTypingCapture } from '../components/overlay/typing-capture.ts'
import { createOptions, type Option } from '../components/fields/options.ts'
import { Select, type SelectProps } from '../components/fields/select.tsx'
import { getLabel, getNouns, getStateLabel } from './resource.labels.ts'
import type { BulkAction, Column } from '../components/table/column.ts'
import classes from '../lib/cells.module.css'
import { FilterGroup, getFilterWidth } from './filter-group.tsx'
import { ListPage } from './list-page.tsx'
import { useList, type LoadOptions } from '../lib/list.query.ts'
import { resourceOptions, useOptions, useReferenceOptions } from './reference-options.ts'
import { resourceApi } from './resource.api.ts'
import { resourceColumns } from './resource-columns.tsx'
import { getChoiceOptions, formatValue, type AnyRow } from './resource-fields.ts'
import { loadResourceForm, LazyResourceForm } from './resource-form.lazy.ts'
import type { FormOverrides } from './resource-form.tsx'
import { resourceTexts as texts } from './resource.texts.ts'
import { restoreTarget } from '../lib/session.draft.ts'
import { isAdmin, useSession } from '../lib/session.store.ts'
import { isAnnounced, useSettings } from '../lib/settings.store.ts'
import { useTableState, type TableControl } from '../lib/table-state.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** Where a page differs from its declaration. With three overrides or more, write the page by hand. */
export interface PageOverrides<Row> extends FormOverrides<Row> {
  /**
   * Filters by reference, choice and boolean fields: the field's key and the label while nothing is chosen, e.g.
   * 'All sources'.
   */
  readonly filters?: Readonly<Record<string, string>>
  /** The content of cells by column. `plain` is the default content. */
  readonly cells?: Readonly<Record<string, (row: ReceivedRow<Row>, plain: ReactNode) => ReactNode>>
  /** Columns after those of the declaration, where the host announces their feature. */
  readonly columns?: readonly (Column<ReceivedRow<Row>> & { feature?: Feature })[]
  /** The refetch interval of the list, for rows that change without a person. */
  readonly refresh?: LoadOptions<ReceivedRow<Row>>['refetchInterval']
  /** Makes rows selectable. A hook, because the actions may depend on the settings. */
  readonly useBulk?: () => readonly BulkAction[] | undefined
  /** Default 'No data found.' */
  readonly emptyText?: string
}

const noBulk = () => undefined

const readName = ({ nameField }: Resource, row: AnyRow) => row[nameField]

// A failure shows when the form opens.
const loadForm = () => void loadResourceForm().catch(() => undefined)

/**
 * Creates the page of a resource: search, filters, table, pages, and the form for create, edit and delete.
 */
export function resourcePage<Row extends { id: number }>(
  resource: Resource<Row>,
  overrides: PageOverrides<Row> = {},
): () => ReactNode {
  const spec = { pageSize: resource.quirks.pageSize, filters: Object.keys(overrides.filters ?? {}) }
  const { useBulk = noBulk } = overrides
  const api = resourceApi(resource)
  const rowKey = (row: ReceivedRow<Row>) => String(row.id)
  const rowLabel = (row: ReceivedRow<Row>) => formatValue(readName(resource, row) ?? row.id)

  return function ResourcePage() {
    const table = useTableState(spec)
    const bulk = useBulk()
    const admin = isAdmin(useSession())
    const settings = useSettings()
    const { time_zone: zone } = settings
    const references = useReferenceOptions(resource.fields)
    const [openedId, setOpenedId] = useState(() => restoreTarget(resource.name) as number | null)
    const openForm = (id: number) => {
      startTypingCapture()
      setOpenedId(id)
    }
    const closeForm = () => setOpenedId(null)
    const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
    const list = useList<ReceivedRow<Row>>({
      table,
      key: queryKeys.resourceLists(resource.name),
      call: api.list.call,
      query: api.list.buildQuery(table.state),
      createHeaders: api.list.createHeaders,
      refetchInterval: overrides.refresh,
    })
    const columns = useMemo(
      () => [
        ...resourceColumns(resource, { references, zone, cells: overrides.cells }),
        ...(overrides.columns ?? []).filter(({ feature }) => isAnnounced(feature, settings)),
      ],
      [references, zone, settings],
    )
    return (
      <div className={classes.page} onPointerOver={loadForm} onFocus={loadForm}>
        <ListPage
          list={list}
          label={getLabel(resource.title)}
          filters={<Filters resource={resource} labels={overrides.filters ?? {}} table={table} />}
          // Other people may not load the list.
          exportName={admin ? resource.name : undefined}
          actions={
            admin && (
              <Button tone="primary" icon={<PlusIcon size={17} />} onClick={() => openForm(0)}>
                {texts.create(getNouns(resource))}
              </Button>
            )
          }
          columns={columns}
          rowKey={rowKey}
          rowLabel={rowLabel}
          failedText={texts.loadFailed(getNouns(resource))}
          onRowClick={(row) => openForm(row.id)}
          activeKey={openedId === null ? null : String(openedId)}
          emptyText={overrides.emptyText}
          selection={bulk && { selected: selection, onChange: setSelection, actions: bulk }}
        />
        <LazyDialog opened={openedId !== null} onClose={closeForm}>
          <LazyResourceForm resource={resource} id={openedId} onClose={closeForm} {...overrides} />
        </LazyDialog>
      </div>
    )
  }
}

type FiltersProps<Row> = {
  resource: Resource<Row>
  labels: Readonly<Record<string, string>>
  table: TableControl
}

function Filters<Row>({ resource, labels, table }: FiltersProps<Row>) {
  return (
    <FilterGroup table={table} names={Object.keys(labels)}>
      {Object.entries(labels).map(([key, anyText]) => {
        const field = resource.fields[key]
        if (!field) return null
        const label = texts.filterBy({ label: getLabel(field.label, resource.name).toLowerCase() })
        const props = { table, name: key, label, anyText }
        return (
          <ToolbarItem key={key} width={170} phoneWidth={getFilterWidth(anyText, 140)}>
            {field.target === undefined ? (
              <FilterSelect {...props} options={getFilterOptions(field)} />
            ) : (
              <RowFilter {...props} target={field.target} />
            )}
          </ToolbarItem>
        )
      })}
    </FilterGroup>
  )
}

const getFilterOptions = (field: Field): readonly Option[] =>
  field.kind === 'boolean'
    ? createOptions(['true', 'false'], {
        true: getStateLabel(field.label, true),
        false: getStateLabel(field.label, false),
      })
    : getChoiceOptions(field)

type FilterProps = { table: TableControl; name: string; label: string; anyText: string }

/** A filter by rows. The options have the chosen row, also when it lies beyond the first rows. */
function RowFilter({ target, ...props }: FilterProps & { target: string }) {
  const value = props.table.state.filters[props.name] ?? ''
  const source = useMemo(() => resourceOptions(target), [target])
  const { options, onSearch, isLoading } = useOptions(source, value === '' ? [] : [value])
  return <FilterSelect {...props} options={options} onSearch={onSearch} loading={isLoading} />
}

type FilterSelectProps = FilterProps & Pick<SelectProps, 'options' | 'onSearch' | 'loading'>

function FilterSelect({ table, name, label, anyText, ...optionProps }: FilterSelectProps) {
  return (
    <Select
      label={label}
      hideLabel
      emptyOption={anyText}
      {...optionProps}
      value={table.state.filters[name] ?? ''}
      onChange={(value) => table.change({ filters: { [name]: value } })}
    />
  )
}
