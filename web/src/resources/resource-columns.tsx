import { missingValue } from '../lib/format/missing.ts'
import type { ReactNode } from 'react'
import type { Field, Kind, Named } from '@karvon/contract/lib/field.ts'
import type { Received, ReceivedRow } from '@karvon/contract/lib/received.ts'
import { getListKeys, type Resource } from '@karvon/contract/lib/resource.ts'
import { Badge } from '../components/display/badge.tsx'
import { getLabel, getStateLabel } from './resource.labels.ts'
import type { Column } from '../components/table/column.ts'
import { TruncatedText } from '../components/truncated-text.tsx'
import classes from '../lib/cells.module.css'
import { formatMoney } from '../lib/format/money.format.ts'
import { formatDateTime } from '../lib/format/date-time.format.ts'
import { formatDay } from '../lib/format/day.format.ts'
import type { ReferenceOptions } from './reference-options.ts'
import { readReference, formatValue, type AnyRow } from './resource-fields.ts'
import { resourceTexts } from './resource.texts.ts'

/** The number of characters of a secret and of an address in a table (specification, section 9). */
const maxShownLength = { secret: 20, url: 30 } as const

const truncate = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text)

/** An address as a link, cut to 30 characters. An address that is not http or https stays text. */
function UrlCell({ url }: { url: string }) {
  const label = truncate(url, maxShownLength.url)
  if (!/^https?:\/\//i.test(url)) return label
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer">
      {label}
    </a>
  )
}

/** An address as plain text, cut to 30 characters. */
export function UrlText({ url }: { url: string }) {
  return <span title={url}>{truncate(url, maxShownLength.url)}</span>
}

const isNumeric = (field: Field | undefined) => field?.kind === 'money' || field?.kind === 'integer'

/** The kinds whose values can be longer than a column. */
const longKinds: ReadonlySet<Kind> = new Set(['text', 'email', 'external-id', 'reference'])

const shorten = (content: ReactNode, field: Field | undefined): ReactNode =>
  typeof content === 'string' &&
  content !== missingValue &&
  field !== undefined &&
  longKinds.has(field.kind) ? (
    <TruncatedText isWide text={content} />
  ) : (
    content
  )

interface CellContext {
  readonly references: ReferenceOptions
  readonly zone: string
}

type CustomCells<Row> = Readonly<Record<string, (row: ReceivedRow<Row>, plain: ReactNode) => ReactNode>>

/**
 * The columns of a resource's list, in the order of its declaration. `cells` replaces the content of single
 * columns.
 */
export function resourceColumns<Row>(
  resource: Resource<Row>,
  { cells = {}, ...context }: CellContext & { cells?: CustomCells<Row> | undefined },
): Column<ReceivedRow<Row>>[] {
  const sortable = new Set(getListKeys(resource.fields))
  return resource.columns.map((key, index) => {
    const field = resource.fields[key]
    const renderDefault = (row: ReceivedRow<Row>) => renderCell(row, { key, field }, context)
    const customCell = cells[key]
    return {
      key,
      header:
        field === undefined
          ? key === 'id'
            ? resourceTexts.id
            : resourceTexts.createdAt
          : getLabel(field.label, resource.name),
      cell: customCell
        ? (row: ReceivedRow<Row>) => customCell(row, renderDefault(row))
        : (row: ReceivedRow<Row>) => shorten(renderDefault(row), field),
      sortable: sortable.has(key) && field?.kind !== 'reference',
      ...(isNumeric(field) && { align: 'end' as const }),
      ...(field?.kind !== 'long-text' && { nowrap: true }),
      phone: index === 0 ? 'left' : 'line',
    }
  })
}

const renderEmpty = (field: Field | undefined): string =>
  field?.emptyLabel === undefined ? missingValue : getLabel(field.emptyLabel)

function renderReference(field: Field, { id, name }: Received<Named>, references: ReferenceOptions): string {
  if (name) return name
  if (typeof id !== 'number') return renderEmpty(field)
  return references.findName(field, id) ?? `#${id}`
}

function renderCell(
  row: AnyRow,
  { key, field }: { key: string; field: Field | undefined },
  { references, zone }: CellContext,
): ReactNode {
  const value = row[key]
  if (field?.kind === 'reference') return renderReference(field, readReference(row, key) ?? {}, references)
  if (value === null || value === undefined || value === '') return renderEmpty(field)
  if (typeof value === 'boolean') {
    const label = field?.label ?? ''
    return <Badge tone={value ? 'ok' : 'neutral'}>{getStateLabel(label, value)}</Badge>
  }
  const text = formatValue(value)
  const kind = field?.kind ?? (key === 'id' ? 'integer' : 'time')
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the rest is text
  switch (kind) {
    case 'choice':
      return getLabel(field?.options?.[text] ?? text)
    case 'money':
      return formatMoney(Number(value), '.')
    case 'time':
      return formatDateTime(text, zone)
    case 'day':
      return formatDay(text)
    case 'url':
      return <UrlCell url={text} />
    case 'secret':
      return <span className="mono">{truncate(text, maxShownLength.secret)}</span>
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
