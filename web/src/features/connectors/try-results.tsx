import { translateServerMessage } from '../../lib/server-messages.ts'
import type { TryAnswer, TryPart } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { Badge } from '../../components/display/badge.tsx'
import { formatValue } from '../../resources/resource-fields.ts'
import classes from './try.module.css'
import { resultTexts as texts } from './try.texts.ts'

const partOrder = [
  'sign_in',
  'finance',
  'offers',
  'streams',
  'orders',
  'transactions',
  'withdrawals',
] as const

/** The result of a test by parts, with the first rows as Karvon reads them. */
export function TryResults({ answer }: { answer: Partial<TryAnswer> }) {
  const parts = partOrder.flatMap((key) => {
    const part = answer[key]
    // A host without this part does not answer it.
    return part === null || part === undefined ? [] : [{ key, part }]
  })
  return (
    <section aria-label={texts.results} className={classes.parts}>
      {parts.length === 0 && <p>{texts.nothing}</p>}
      {parts.map(({ key, part }) => (
        <Part key={key} name={texts.parts[key]} part={part} />
      ))}
    </section>
  )
}

function Part({ name, part }: { name: string; part: TryPart }) {
  const { ok, detail, code, params, rows, problems } = part
  return (
    <div className={classes.part}>
      <h4>
        {name} <Badge tone={ok ? 'ok' : 'bad'}>{ok ? texts.ok : texts.failedPart}</Badge>
      </h4>
      <p>{translateServerMessage({ message: detail, code, params })}</p>
      {rows.length > 0 && <Rows name={name} rows={rows} />}
      {problems.length > 0 && (
        <>
          <p className={classes.failed}>{texts.problems}</p>
          <ul>
            {problems.map((problem, index) => (
              <li key={`${problem} ${index}`}>{problem}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Rows({ name, rows }: { name: string; rows: TryPart['rows'] }) {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.rows} role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {keys.map((key) => (
              <th key={key} scope="col">
                {key}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {keys.map((key) => (
                <td key={key}>{formatCell(row[key])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const formatCell = (value: unknown): string =>
  value === null || value === undefined || value === '' ? texts.empty : formatValue(value)
