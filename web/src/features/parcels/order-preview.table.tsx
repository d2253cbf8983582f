import { Fragment } from 'react'
import type { OrderPreview } from '@karvon/contract/uploads/uploads.ts'
import type { RowProblem } from '@karvon/contract/lib/import.ts'
import classes from './order-preview.module.css'
import { previewTexts as texts } from './order-preview.texts.ts'

/** Rows with errors beyond the first rows that are listed; the answer to the upload has them all. */
const mostFaulty = 50

/** The first rows under what each heading was taken for, each with what is wrong with it; then the other rows with errors. */
export function PreviewTable({ preview }: { preview: OrderPreview }) {
  const { recognised, unrecognised, rows, total, skipped, errors } = preview
  const byRow = Map.groupBy(errors, ({ row }) => row)
  const shown = new Set(rows.map(({ row }) => row))
  const later = [...byRow].filter(([row]) => !shown.has(row)).slice(0, mostFaulty)
  const faultyShown = [...byRow.keys()].filter((row) => shown.has(row)).length + later.length
  const moreFaulty = skipped - faultyShown
  const moreGood = total - rows.length - later.length - moreFaulty
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
              const problems = byRow.get(row) ?? []
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
                  {problems.length > 0 && <Reasons problems={problems} span={recognised.length} />}
                </Fragment>
              )
            })}
            {later.map(([row, problems]) => (
              <Reasons key={row} row={row} problems={problems} span={recognised.length} />
            ))}
          </tbody>
        </table>
        {moreFaulty > 0 && <p className={classes.bad}>{texts.moreFaulty(moreFaulty)}</p>}
        {moreGood > 0 && <p>{texts.moreRows(moreGood)}</p>}
      </div>
      {unrecognised.length > 0 && <p className={classes.unknown}>{texts.unknown(unrecognised.join(', '))}</p>}
    </>
  )
}

type ReasonsProps = { row?: number; problems: readonly RowProblem[]; span: number }

/** What is wrong with a row, in sight however far the table is scrolled aside. */
function Reasons({ row, problems, span }: ReasonsProps) {
  const said = problems.map(
    ({ field, message }) => `${texts.columns[field] ?? field}: ${texts.problem(field, message)}`,
  )
  return (
    <tr data-faulty>
      <td className={classes.number}>{row}</td>
      <td colSpan={span} className={classes.bad}>
        <span className={classes.reason}>{said.join('; ')}</span>
      </td>
    </tr>
  )
}
