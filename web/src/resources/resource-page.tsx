import { Suspense, useMemo, useState, type ReactNode } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Feature } from '@karvon/contract/lib/features.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { Button } from '../components/actions/button.tsx'
import { PlusIcon } from '../components/actions/icons.tsx'
import { Toolbar, ToolbarItem } from '../components/display/layout.tsx'
import { SearchBox } from '../components/fields/search-box.tsx'
import { Select } from '../components/fields/select.tsx'
import { speak, speakAt } from '../lib/i18n/language.ts'
import type { BulkAction, Column } from '../components/table/column.ts'
import classes from '../lib/cells.module.css'
import { ExportMenu } from './exports/export-menu.tsx'
import { ListTable } from './list-table.tsx'
import { searchNames, useReferences, type References } from './references.ts'
import { resourceApi } from './resource.api.ts'
import { resourceColumns } from './resource-columns.tsx'
import { choicesOf, textOf, type AnyRow } from './resource-fields.ts'
import { loadResourceForm, ResourceForm } from './resource-form.lazy.ts'
import type { FormOverrides } from './resource-form.tsx'
import { resourceTexts as texts } from './resource.texts.ts'
import { isAdmin, useSession } from '../lib/session.store.ts'
import { isAnnounced, useSettings } from '../lib/settings.store.ts'
import { useTableState, type TableControl } from '../lib/table-state.ts'

/** Where a page differs from what its declaration says. At three of them, write the page by hand. */
export interface PageOverrides<Row> extends FormOverrides<Row> {
  /** Filters by reference, choice and boolean fields: the field's key and what stands for "any", e.g. 'All sources'. */
  readonly filters?: Readonly<Record<string, string>>
  /** Cells by column; `plain` is what stands there otherwise. */
  readonly cells?: Readonly<Record<string, (row: ReceivedRow<Row>, plain: ReactNode) => ReactNode>>
  /** Columns that stand after those of the declaration, where the host announces their feature. */
  readonly columns?: readonly (Column<ReceivedRow<Row>> & { feature?: Feature })[]
  /** Milliseconds after which the list is asked for again, for rows that change by themselves. */
  readonly refresh?: number
  /** Makes rows selectable; a hook, since what an action does may hang on the settings. */
  readonly useBulk?: () => readonly BulkAction[] | undefined
  /** Default 'No data found.' */
  readonly emptyText?: string
}

const noBulk = () => undefined

// Should it not come now, opening the form asks again.
const loadForm = () => void loadResourceForm().catch(() => undefined)

/** The page of a resource: search, filters, table, pages, and its form for create, edit and delete. */
export function resourcePage<Row extends { id: number }>(
  of: Resource<Row>,
  overrides: PageOverrides<Row> = {},
): () => ReactNode {
  const spec = { pageSize: of.quirks.pageSize, filters: Object.keys(overrides.filters ?? {}) }
  const { useBulk = noBulk } = overrides
  const api = resourceApi(of)
  const rowKey = (row: ReceivedRow<Row>) => String(row.id)
  const rowLabel = (row: ReceivedRow<Row>) => textOf((row as AnyRow)[of.naming] ?? row.id)

  return function ResourcePage() {
    const table = useTableState(spec)
    const bulk = useBulk()
    const admin = isAdmin(useSession())
    const settings = useSettings()
    const { time_zone: zone } = settings
    const references = useReferences(of.fields)
    const [opened, setOpened] = useState<number | null>(null)
    // Once it was opened it stays, so that it can fade.
    const [asked, setAsked] = useState(false)
    if (opened !== null && !asked) setAsked(true)
    const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
    const query = useQuery({
      queryKey: ['resource', of.name, 'list', table.state],
      queryFn: ({ signal }) => api.list(table.state, signal),
      placeholderData: keepPreviousData,
      ...(overrides.refresh !== undefined && { refetchInterval: overrides.refresh }),
    })
    const columns = useMemo(
      () => [
        ...resourceColumns(of, references, zone, overrides.cells),
        ...(overrides.columns ?? []).filter(({ feature }) => isAnnounced(feature, settings)),
      ],
      [references, zone, settings],
    )
    return (
      <div className={classes.page} onPointerOver={loadForm} onFocus={loadForm}>
        <Toolbar
          actions={
            // To anyone else the list below is refused.
            admin && (
              <>
                <ExportMenu {...api.listed(table.state)} name={of.name} />
                <Button tone="primary" icon={<PlusIcon size={17} />} onClick={() => setOpened(0)}>
                  {texts.create(of.noun.one)}
                </Button>
              </>
            )
          }
        >
          <SearchBox value={table.state.search} onSearch={(search) => table.change({ search })} />
          <Filters of={of} labels={overrides.filters ?? {}} table={table} references={references} />
        </Toolbar>
        <ListTable
          label={speak(of.title)}
          table={table}
          query={query}
          columns={columns}
          rowKey={rowKey}
          rowLabel={rowLabel}
          failedText={texts.loadFailed(of.noun.many)}
          onRowClick={(row) => setOpened(row.id)}
          activeKey={opened === null ? null : String(opened)}
          {...(overrides.emptyText !== undefined && { emptyText: overrides.emptyText })}
          {...(bulk && { selection: { selected, onChange: setSelected, actions: bulk } })}
        />
        {asked && (
          <Suspense>
            <ResourceForm of={of} id={opened} onClose={() => setOpened(null)} {...overrides} />
          </Suspense>
        )}
      </div>
    )
  }
}

type FiltersProps<Row> = {
  of: Resource<Row>
  labels: Readonly<Record<string, string>>
  table: TableControl
  references: References
}

function Filters<Row>({ of, labels, table, references }: FiltersProps<Row>) {
  return Object.entries(labels).map(([key, any]) => {
    const field = of.fields[key]
    if (!field) return null
    const options =
      field.kind === 'boolean'
        ? [
            { value: 'true', label: texts.on(field.label) },
            { value: 'false', label: texts.off(field.label) },
          ]
        : field.options
          ? choicesOf(field)
          : references.optionsOf(field)
    return (
      <ToolbarItem key={key} width={170}>
        <Select
          label={texts.filterBy(speakAt(of.name, field.label))}
          hideLabel
          emptyOption={any}
          options={options}
          {...(field.to !== undefined && references.isPartial(field) && { onSearch: searchNames(field.to) })}
          value={table.state.filters[key] ?? ''}
          onChange={(value) => table.change({ filters: { [key]: value } })}
        />
      </ToolbarItem>
    )
  })
}
