import type { ExploreAnswer, ExploreFigures, Member } from '@karvon/contract/explore/explore.ts'
import type { Cell } from '../../platform/exports/exports.cells.ts'

/** A name of a row, or the key of a time or a text. The rest and leads without a value have the names of their kinds. */
const writeMember = ({ kind, key, name }: Member): Cell => (kind === 'value' ? (name ?? key) : kind)

/** The items of an answer as a sheet, with one column for each metric and for each part of its comparison. */
export function buildExploreSheet({ items, meta }: ExploreAnswer): { headers: string[]; rows: Cell[][] } {
  const isCompared = meta.compared_period !== null
  const parts = ['value', 'difference', 'percent'] as const
  const headers = [
    meta.rows,
    ...(meta.columns === null ? [] : [meta.columns]),
    ...meta.metrics.flatMap((metric) => [
      metric,
      ...(isCompared ? parts.map((part) => `${metric}_compared_${part}`) : []),
    ]),
  ]
  const writeFigures = ({ metrics, compared }: ExploreFigures): Cell[] =>
    meta.metrics.flatMap((metric) => [
      metrics[metric] ?? null,
      ...(isCompared ? parts.map((part) => compared?.[metric]?.[part] ?? null) : []),
    ])
  const rows = items.map(({ row, column, ...figures }) => [
    writeMember(row),
    ...(meta.columns === null ? [] : [column === null ? null : writeMember(column)]),
    ...writeFigures(figures),
  ])
  return { headers, rows }
}
