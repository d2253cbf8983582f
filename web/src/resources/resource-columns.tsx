import { missingValue } from '../lib/format/missing.ts'
import type { ReactNode } from 'react'
import type { Field } from '@karvon/contract/lib/field.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { listKeys, type Resource } from '@karvon/contract/lib/resource.ts'
import { Badge } from '../components/display/badge.tsx'
import { speak, speakAt } from '../lib/i18n/language.ts'
import type { Column } from '../components/table/column.ts'
import classes from '../lib/cells.module.css'
import { formatMoney } from '../lib/format/money.format.ts'
import { formatMoment } from '../lib/format/moment.format.ts'
import type { References } from './references.ts'
import { referenceIn, textOf, type AnyRow } from './resource-fields.ts'
import { resourceTexts } from './resource.texts.ts'

/** Characters of a secret and of an address that a table shows (specification, section 9). */
const shownOf = { secret: 20, url: 30 } as const

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text)

/** An address as a link, cut to 30 characters. Anything but http and https stays text. */
function UrlCell({ url }: { url: string }) {
  const said = cut(url, shownOf.url)
  if (!/^https?:\/\//i.test(url)) return said
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer">
      {said}
    </a>
  )
}

/** An address that nobody should follow from here, cut like any other. */
export function UrlText({ url }: { url: string }) {
  return <span title={url}>{cut(url, shownOf.url)}</span>
}

const numeric = (field: Field | undefined) => field?.kind === 'money' || field?.kind === 'integer'

/** The columns of a resource's list, in the order of its declaration; `cells` replaces single ones and gets what they were. */
export function resourceColumns<Row>(
  of: Resource<Row>,
  references: References,
  zone: string,
  cells: Readonly<Record<string, (row: ReceivedRow<Row>, plain: ReactNode) => ReactNode>> = {},
): Column<ReceivedRow<Row>>[] {
  const sortable = new Set(listKeys(of.fields))
  return of.columns.map((key, index) => {
    const field = of.fields[key]
    const plain = (row: ReceivedRow<Row>) => cellOf(key, field, row, references, zone)
    const own = cells[key]
    return {
      key,
      header: speakAt(of.name, field?.label) ?? (key === 'id' ? resourceTexts.id : resourceTexts.createdAt),
      cell: own ? (row: ReceivedRow<Row>) => own(row, plain(row)) : plain,
      sortable: sortable.has(key) && field?.kind !== 'reference',
      ...(numeric(field) && { align: 'end' as const }),
      ...(field?.kind !== 'long-text' && { nowrap: true }),
      phone: index === 0 ? 'left' : 'line',
    }
  })
}

function referenceCell(row: AnyRow, key: string, field: Field, references: References): string {
  const { id, name } = referenceIn(row, key) ?? {}
  if (name) return name
  if (typeof id !== 'number') return speak(field.unchosen) ?? missingValue
  return references.nameOf(field, id) ?? `#${id}`
}

function cellOf(
  key: string,
  field: Field | undefined,
  row: AnyRow,
  references: References,
  zone: string,
): ReactNode {
  const value = row[key]
  if (field?.kind === 'reference') return referenceCell(row, key, field, references)
  if (value === null || value === undefined || value === '') return speak(field?.unchosen) ?? missingValue
  if (typeof value === 'boolean') {
    const label = field?.label ?? ''
    return (
      <Badge tone={value ? 'ok' : 'neutral'}>
        {value ? resourceTexts.on(label) : resourceTexts.off(label)}
      </Badge>
    )
  }
  const text = textOf(value)
  const kind = field?.kind ?? (key === 'id' ? 'integer' : 'time')
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the rest is text
  switch (kind) {
    case 'choice':
      return speak(field?.options?.[text]) ?? text
    case 'money':
      return formatMoney(Number(value))
    case 'time':
      return formatMoment(text, zone)
    case 'url':
      return <UrlCell url={text} />
    case 'secret':
      return <span className="mono">{cut(text, shownOf.secret)}</span>
    case 'long-text':
      return (
        <span className={classes.clip} title={text}>
          {text}
        </span>
      )
    default:
      return text
  }
}
