import { Fragment } from 'react'
import type { OrderPreview } from '@karvon/contract/uploads/uploads.ts'
import type { RowProblem } from '@karvon/contract/lib/import.ts'
import classes from './order-preview.module.css'
import { describePreviewProblem } from './order-preview.problems.ts'
import { previewTexts as texts } from './order-preview.texts.ts'

/**
 * The number of faulty rows that are listed beyond the first rows. The answer to the upload has all of them.
 */
const maxFaultyRows = 50

/**
 * The first rows below their recognised columns, each with its problems, then the other rows with problems.
 */
export function PreviewTable({ preview }: { preview: OrderPreview }) {
  const { recognised, unrecognised, rows, total, skipped, errors } = preview
  const problemsByRow = Map.groupBy(errors, ({ row }) => row)
  const listedRows = new Set(rows.map(({ row }) => row))
  const laterFaultyRows = [...problemsByRow].filter(([row]) => !listedRows.has(row)).slice(0, maxFaultyRows)
  const faultyShown =
    [...problemsByRow.keys()].filter((row) => listedRows.has(row)).length + laterFaultyRows.length
  const moreFaulty = skipped - faultyShown
  const moreGood = total - rows.length - laterFaultyRows.length - moreFaulty
  return (
    <>
      {/* It scrolls, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.rows} role="region" aria-label={texts.label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th className={classes.number}>{texts.row}</th>
              {recognised.map(({ column, heading }) => (
                <th key={column}>
                  {texts.columns[column] ?? column}
                  <small>{heading}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, values }) => {
              const problems = problemsByRow.get(row) ?? []
              const isWrong = (column: string) => problems.some(({ field }) => field === column)
              return (
                <Fragment key={row}>
                  <tr data-faulty={problems.length > 0 || undefined}>
                    <td className={classes.number}>{row}</td>
                    {recognised.map(({ column }) => (
                      <td key={column} className={isWrong(column) ? classes.bad : undefined}>
                        {values[column]}
                      </td>
                    ))}
                  </tr>
                  {problems.length > 0 && <RowReasons problems={problems} span={recognised.length} />}
                </Fragment>
              )
            })}
            {laterFaultyRows.map(([row, problems]) => (
              <RowReasons key={row} row={row} problems={problems} span={recognised.length} />
            ))}
          </tbody>
        </table>
        {moreFaulty > 0 && <p className={classes.bad}>{texts.moreFaulty({ count: moreFaulty })}</p>}
        {moreGood > 0 && <p>{texts.moreRows({ count: moreGood })}</p>}
      </div>
      {unrecognised.length > 0 && (
        <p className={classes.unknown}>{texts.unknown({ headings: unrecognised.join(', ') })}</p>
      )}
    </>
  )
}

type RowReasonsProps = { row?: number; problems: readonly RowProblem[]; span: number }

/** The problems of a row. They stay visible when the table is scrolled sideways. */
function RowReasons({ row, problems, span }: RowReasonsProps) {
  const reasons = problems.map(
    (problem) => `${texts.columns[problem.field] ?? problem.field}: ${describePreviewProblem(problem)}`,
  )
  return (
    <tr data-faulty>
      <td className={classes.number}>{row}</td>
      <td colSpan={span} className={classes.bad}>
        <span className={classes.reason}>{reasons.join('; ')}</span>
      </td>
    </tr>
  )
}
