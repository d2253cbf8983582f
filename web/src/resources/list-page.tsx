import type { ReactNode } from 'react'
import { Toolbar } from '../components/display/layout.tsx'
import { SearchBox } from '../components/fields/search-box.tsx'
import type { ChoosableColumn } from '../components/table/column.ts'
import type { List } from '../lib/list.query.ts'
import { ExportMenu } from './exports/export-menu.tsx'
import type { ExportTexts } from './exports/export.texts.ts'
import { ListTools } from './list-tools/list-tools.tsx'
import { ListTable, type ListTableProps } from './list-table.tsx'

type ListToolbarProps = {
  list: Pick<List<never>, 'table' | 'request'>
  isSearchable?: boolean
  searchLabel?: string
  /** The filters after the search. */
  filters?: ReactNode
  /** The name of an exported file. Without it there is no export. */
  exportName?: string
  exportTexts?: ExportTexts
  /** The columns of the list, which a person may choose from. */
  columns?: readonly ChoosableColumn[]
  /** The actions after the export. */
  actions?: ReactNode
  /** The screen is in Russian while no language is picked. */
  isRussian?: boolean
}

/** The search, filters, saved views, columns, export and actions above a list. */
export function ListToolbar({
  list: { table, request },
  isSearchable = true,
  searchLabel,
  filters,
  exportName,
  exportTexts,
  columns,
  actions,
  isRussian = false,
}: ListToolbarProps) {
  return (
    <Toolbar
      isUnlabelled
      actions={
        <>
          <ListTools
            table={table}
            columns={columns}
            isRussian={isRussian}
            canSchedule={exportName !== undefined}
          />
          {exportName !== undefined && <ExportMenu {...request} name={exportName} texts={exportTexts} />}
          {actions}
        </>
      }
    >
      {isSearchable && (
        <SearchBox
          label={searchLabel}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
      )}
      {filters}
    </Toolbar>
  )
}

type ListPageProps<Row> = Omit<ListToolbarProps, 'list' | 'columns' | 'isRussian'> &
  Omit<ListTableProps<Row>, 'list'> & { list: List<Row> }

/** A list with its toolbar. Pages with something between the two use {@link ListToolbar} and `ListTable`. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { isSearchable, searchLabel, filters, exportName, exportTexts, actions, ...table } = props
  const toolbar = { isSearchable, searchLabel, filters, exportName, exportTexts, actions }
  return (
    <>
      <ListToolbar list={props.list} columns={props.columns} {...toolbar} />
      <ListTable {...table} />
    </>
  )
}
