import type { RowProblem } from '@karvon/contract/lib/import.ts'
import { Button } from '../../components/actions/button.tsx'
import { DownloadIcon } from '../../components/actions/icons.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import { translateServerMessage } from '../../lib/server-messages.ts'
import { saveFile } from '../../lib/file.save.ts'
import { problemsCsv } from './import.problems.ts'
import classes from './imports.module.css'
import type { ReportTexts } from './import.texts.ts'

/** The result of a file's rows. Undefined values are not shown. */
export interface FileReport {
  imported?: number | undefined
  updated?: number | undefined
  unchanged?: number | undefined
  skipped?: number | undefined
  errors?: readonly RowProblem[] | undefined
}

/** The number of rows by result. */
export function ImportCountsView({ report, texts }: { report: FileReport; texts: ReportTexts }) {
  const counts = (['imported', 'updated', 'unchanged', 'skipped'] as const).map(
    (key) => [key, report[key]] as const,
  )
  return (
    <dl className={classes.counts}>
      {counts.map(
        ([key, count]) =>
          count !== undefined && (
            <div key={key}>
              <dt>{texts[key]}</dt>
              <dd>{formatNumber(count)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

type ImportReportProps = {
  report: FileReport
  /** The file's name, for the name of the file of skipped rows. */
  file: string
  texts: ReportTexts
}

/** The result of an import, the reasons of skipped rows, and these rows as a csv file. */
export function ImportReportView({ report, file, texts }: ImportReportProps) {
  const { errors = [], skipped = 0 } = report
  return (
    <div className={classes.report}>
      {/* Screen readers announce it. The rows are outside, because a status is read as a whole. */}
      <div role="status" aria-label={texts.label} className={classes.report}>
        <ImportCountsView report={report} texts={texts} />
        {skipped > 0 && report.errors === undefined && <p className={classes.note}>{texts.reasonsLost}</p>}
      </div>
      {errors.length > 0 && (
        <>
          <div className={classes.head}>
            <h3>{texts.problems}</h3>
            <Button
              icon={<DownloadIcon size={17} />}
              onClick={() =>
                saveFile(`${file.replace(/\.[^.]+$/, '')}-skipped.csv`, problemsCsv(errors, texts))
              }
            >
              {texts.save}
            </Button>
          </div>
          <ProblemTable errors={errors} texts={texts} />
          {skipped > errors.length && (
            <p className={classes.note}>{texts.first({ listed: errors.length, all: skipped })}</p>
          )}
        </>
      )}
    </div>
  )
}

function ProblemTable({ errors, texts }: { errors: readonly RowProblem[]; texts: ReportTexts }) {
  return (
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
              <td>{translateServerMessage(problem)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
