import type { RowProblem } from '@karvon/contract/kit/import.ts'
import { formatNumber } from '../ui/format/number.format.ts'
import classes from './parcels.module.css'
import { reportTexts as texts } from './parcels.texts.ts'

export interface FileReport {
  imported?: number | undefined
  updated?: number | undefined
  unchanged?: number | undefined
  skipped?: number | undefined
  errors?: readonly RowProblem[] | undefined
}

/** What became of a file's rows, and why some were not taken. */
export function ImportReport({ report }: { report: FileReport }) {
  const counts = [
    [texts.imported, report.imported],
    [texts.updated, report.updated],
    [texts.unchanged, report.unchanged],
    [texts.skipped, report.skipped],
  ] as const
  const errors = report.errors ?? []
  return (
    <section role="status" aria-label={texts.label} className={classes.report}>
      <dl className={classes.counts}>
        {counts.map(
          ([name, count]) =>
            count !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{formatNumber(count)}</dd>
              </div>
            ),
        )}
      </dl>
      {errors.length > 0 && (
        // It scrolls, so the keyboard must reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={classes.problems} role="region" aria-label={texts.problems} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{texts.row}</th>
                <th>{texts.field}</th>
                <th>{texts.message}</th>
              </tr>
            </thead>
            <tbody>
              {errors.map((problem, index) => (
                <tr key={`${problem.row} ${problem.field} ${index}`}>
                  <td>{problem.row}</td>
                  <td>{problem.field}</td>
                  <td>{problem.message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
