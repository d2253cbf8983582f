import { useMemo } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ExploreState } from '@karvon/contract/explore/explore.address.ts'
import { getMemberKey, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreAnswer, ExploreFigures, Member } from '@karvon/contract/explore/explore.ts'
import type { MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import type { Column } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { useErrorMessage } from '../../resources/error-message.ts'
import type { FigureMembers, RenderFigure } from './explore.cells.tsx'
import { formatMember } from './explore.member.format.ts'
import { exploreFilterTexts } from './explore.filters.texts.ts'
import { exploreTexts as texts } from './explore.texts.ts'
import classes from './explore.module.css'

/** The number of rows that a table draws. The file has all. */
const maxRows = 200

/** The part of a question that names the columns of its table. */
type QuestionColumns = Pick<ExploreState, 'rows' | 'columns' | 'metrics'>

interface TableRow extends ExploreFigures {
  readonly key: string
  readonly row: Member
  readonly column: Member | null
  /** The cells of a pivot, by the key of their column. */
  readonly cells: ReadonlyMap<string, ExploreFigures>
}

/** A row for each item; in a pivot, for each member of the rows. */
function toTableRows({ items, meta }: ExploreAnswer, isPivot: boolean): TableRow[] {
  if (!isPivot)
    return items.map((item) => ({
      ...item,
      key: `${getMemberKey(item.row)} ${getMemberKey(item.column)}`,
      cells: new Map(),
    }))
  const cells = new Map<string, Map<string, ExploreFigures>>()
  for (const item of items) {
    const row = cells.get(getMemberKey(item.row)) ?? new Map<string, ExploreFigures>()
    cells.set(getMemberKey(item.row), row.set(getMemberKey(item.column), item))
  }
  return meta.row_totals.map(({ member, ...figures }) => ({
    ...figures,
    key: getMemberKey(member),
    row: member,
    column: null,
    cells: cells.get(getMemberKey(member)) ?? new Map<string, ExploreFigures>(),
  }))
}

function createColumns(
  { meta, totals }: ExploreAnswer,
  { isPivot, renderFigure }: { isPivot: boolean; renderFigure: RenderFigure },
): Column<TableRow>[] {
  const { rows, columns, metrics } = meta
  const head: Column<TableRow> = {
    key: 'row',
    header: exploreFilterTexts.dimensions[rows],
    cell: ({ row }) => formatMember(rows, row),
    total: texts.total,
  }
  const membersOf = ({ row, column }: TableRow): FigureMembers => [
    [rows, row],
    ...(columns === null || column === null ? [] : [[columns, column] as const]),
  ]
  const figure = (metric: MetricName, header: string): Column<TableRow> => ({
    key: metric,
    header,
    cell: (row) => renderFigure(row, metric, membersOf(row)),
    align: 'end',
    phone: 'line',
    total: renderFigure(totals, metric, []),
  })
  const [metric = 'leads'] = metrics
  if (!isPivot || columns === null)
    return [
      head,
      ...(columns === null ? [] : [createNameColumn(columns)]),
      ...metrics.map((metricName) => figure(metricName, texts.metricNames[metricName])),
    ]
  return [
    head,
    figure(metric, texts.total),
    ...meta.column_totals.map(({ member, ...sums }): Column<TableRow> => ({
      key: getMemberKey(member),
      header: formatMember(columns, member),
      cell: ({ row, cells }) => {
        const foundCell = cells.get(getMemberKey(member))
        return foundCell === undefined
          ? ''
          : renderFigure(foundCell, metric, [
              [rows, row],
              [columns, member],
            ])
      },
      align: 'end',
      phone: 'line',
      total: renderFigure(sums, metric, [[columns, member]]),
    })),
  ]
}

/** The headers of a question without an answer, above the skeletons of its rows. A pivot gets its columns with the answer. */
function createHeaderColumns(
  { rows, columns, metrics }: QuestionColumns,
  isPivot: boolean,
): Column<TableRow>[] {
  const createFigure = (key: string, header: string): Column<TableRow> => ({
    key,
    header,
    cell: () => '',
    align: 'end',
    phone: 'line',
  })
  return [
    { key: 'row', header: exploreFilterTexts.dimensions[rows], cell: () => '' },
    ...(columns === undefined || isPivot ? [] : [createNameColumn(columns)]),
    ...(isPivot
      ? [createFigure('total', texts.total)]
      : metrics.map((metric) => createFigure(metric, texts.metricNames[metric]))),
  ]
}

const createNameColumn = (dimension: DimensionName): Column<TableRow> => ({
  key: 'column',
  header: exploreFilterTexts.dimensions[dimension],
  cell: ({ column }) => (column === null ? '' : formatMember(dimension, column)),
})

interface ExploreTableProps {
  readonly question: QuestionColumns
  readonly result: UseQueryResult<ExploreAnswer>
  readonly isPivot: boolean
  readonly renderFigure: RenderFigure
}

/** The items of an answer as a table, or its first metric as a pivot of rows and columns, with totals. */
export function ExploreTable({ question, result, isPivot, renderFigure }: ExploreTableProps) {
  const { data, error, isFetching } = result
  const reason = useErrorMessage()
  const rows = useMemo(() => data && toTableRows(data, isPivot), [data, isPivot])
  const columns = useMemo(
    () =>
      data === undefined
        ? createHeaderColumns(question, isPivot)
        : createColumns(data, { isPivot, renderFigure }),
    [question, data, isPivot, renderFigure],
  )
  return (
    <>
      <DataTable<TableRow>
        label={texts.title}
        columns={columns}
        rows={rows?.slice(0, maxRows)}
        rowKey={({ key }) => key}
        rowLabel={({ row }) => (data === undefined ? '' : formatMember(data.meta.rows, row))}
        loading={isFetching}
        lines={data?.meta.compared_period ? 2 : 1}
        error={error && { message: texts.failed, reason: reason(error) }}
        onRetry={() => void result.refetch()}
        scrollX
      />
      {rows !== undefined && rows.length > maxRows && (
        <p className={classes.note}>{texts.shownOf({ shown: maxRows, total: rows.length })}</p>
      )}
    </>
  )
}
