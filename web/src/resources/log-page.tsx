import { useMemo, useState, type ComponentType, type ReactNode } from 'react'
import type { Call, ReceivedOf } from '@karvon/contract/lib/call.ts'
import { LazyDialog } from '../components/lazy-part.tsx'
import type { Column } from '../components/table/column.ts'
import { useList, type LoadOptions } from '../lib/list.query.ts'
import type { QueryKey } from '../lib/query-keys.ts'
import { restoreTarget } from '../lib/session.draft.ts'
import { isAdmin, useSession } from '../lib/session.store.ts'
import { useSettings } from '../lib/settings.store.ts'
import { useTableState } from '../lib/table-state.ts'
import { getFilterKeys, ListFilters, type ListFilter } from './list-filters.tsx'
import { ListPage } from './list-page.tsx'

/** The row of a call that answers a list. */
type RowOf<C extends Call> = ReceivedOf<C> extends { items: readonly (infer Row)[] } ? Row : never

/** A list that people read, search and export. They do not edit its rows. */
interface LogDeclaration<C extends Call, Row> {
  readonly call: C
  /** The start of the cache key. */
  readonly key: QueryKey
  /** The name of an exported file. */
  readonly name: string
  readonly pageSize: number
  /** A list without the text `search` has no search. */
  readonly texts: { title: string; search?: string; loadFailed: string; empty?: string }
  readonly filters: readonly ListFilter[]
  /** The values of filters as the page opens. */
  readonly defaults?: Readonly<Record<string, string>>
  /** The columns. Times are in the time zone `zone`. */
  readonly createColumns: (zone: string) => Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly rowLabel: (row: Row) => string
  readonly lines?: 1 | 2
  /** The actions after the export. Other people on a page of admins do not see them. */
  readonly Actions?: ComponentType
  /** For many columns: the table scrolls sideways where it does not fit. */
  readonly scrollX?: boolean
  readonly refetchInterval?: LoadOptions<Row>['refetchInterval']
  /** Provides what the cells of the shown rows read together, such as names by ids. */
  readonly Provider?: ComponentType<{ rows: readonly Row[]; children: ReactNode }>
  /**
   * Makes rows open. `setOpenedRow` changes values of the row that its key names, or closes it with null. The
   * code of the detail may be lazy: it is drawn from the first opening on.
   */
  readonly renderDetail?: (
    openedRow: Row | null,
    setOpenedRow: (change: Partial<Row> | null) => void,
  ) => ReactNode
}

/** Creates the page of a log: search, filters, export, table, pages, and the detail of a row. */
export function logPage<C extends Call>(log: LogDeclaration<C, RowOf<C>>): () => ReactNode {
  const {
    call,
    key,
    name,
    texts,
    createColumns,
    rowKey,
    rowLabel,
    lines = 1,
    renderDetail,
    Actions,
    Provider,
  } = log
  const spec = {
    pageSize: log.pageSize,
    filters: log.filters.flatMap(getFilterKeys),
    ...(log.defaults && { defaults: log.defaults }),
  }

  return function LogPage() {
    const table = useTableState(spec)
    const { time_zone: zone } = useSettings()
    const [openedRow, setOpenedRow] = useState(() => restoreTarget(name) as RowOf<C> | null)
    // An answer may come after the row was closed, after another one was opened, or after that of a later change.
    const changeOpenedRow = (change: Partial<RowOf<C>> | null) =>
      setOpenedRow((row) => {
        if (row === null || change === null) return null
        const changedRow = { ...row, ...change }
        return rowKey(row) === rowKey(changedRow) ? changedRow : row
      })
    const canAct = isAdmin(useSession()) || call.guard !== 'admin'
    const list = useList<RowOf<C>>({ table, key, call, refetchInterval: log.refetchInterval })
    const columns = useMemo(() => createColumns(zone), [zone])
    const page = (
      <>
        <ListPage
          list={list}
          label={texts.title}
          isSearchable={texts.search !== undefined}
          searchLabel={texts.search}
          filters={<ListFilters table={table} filters={log.filters} />}
          exportName={name}
          actions={Actions && canAct && <Actions />}
          columns={columns}
          rowKey={rowKey}
          rowLabel={rowLabel}
          lines={lines}
          scrollX={log.scrollX}
          failedText={texts.loadFailed}
          emptyText={texts.empty}
          {...(renderDetail && { onRowClick: setOpenedRow, activeKey: openedRow && rowKey(openedRow) })}
        />
        <LazyDialog opened={openedRow !== null} onClose={() => setOpenedRow(null)}>
          {renderDetail?.(openedRow, changeOpenedRow)}
        </LazyDialog>
      </>
    )
    return Provider ? <Provider rows={list.result.data?.items ?? []}>{page}</Provider> : page
  }
}
