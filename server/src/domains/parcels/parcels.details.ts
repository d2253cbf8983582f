import { valueFault } from '@karvon/contract/lib/field-messages.ts'
import { normalizeSpelling } from '@karvon/contract/lib/trim-text.ts'
import {
  mayBeThousands,
  parseDay,
  parseDecimal,
  createTextParser,
  type CellResult,
} from '../../platform/spreadsheets/spreadsheets.values.ts'
import { parseItemList } from './parcels.items.ts'
import { parsePayType } from './parcels.pay-types.ts'

/** A whole number. People and other programs also write it as `2.0`. `1,000` is refused: it may be 1 or a thousand. */
function parseQuantity(text: string): CellResult<number> {
  if (mayBeThousands(text)) return { fault: valueFault('must_be_whole_number') }
  const { value, fault } = parseDecimal(text.replace(/[.,]0+$/, ''), 0, 9)
  return fault === undefined ? { value: Number(value) } : { fault }
}

const parseAmount = (text: string) => parseDecimal(text, 2)

const parseLine = createTextParser(255)
/** A text that people find by what they type. */
const parseName = (text: string) => parseLine(normalizeSpelling(text))

/**
 * The details of a parcel, each under the name of its database column, with the SQL type of that column. `field` is
 * the column of a file and the field of a courier's order that holds the detail.
 * Weight is in kg with at most 3 decimals, an amount has at most 2; both are decimal strings. `day` is yyyy-mm-dd,
 * `items` JSON text.
 */
const details = {
  quantity: { field: 'quantity', sqlType: 'int', parse: parseQuantity },
  barcode: { field: 'barcode', sqlType: 'text', parse: createTextParser(100) },
  day: { field: 'date', sqlType: 'date', parse: parseDay },
  type_name: { field: 'type', sqlType: 'text', parse: parseLine },
  weight: { field: 'weight', sqlType: 'numeric', parse: (text: string) => parseDecimal(text, 3, 9) },
  service_name: { field: 'service', sqlType: 'text', parse: parseLine },
  delivery_price: { field: 'delivery_price', sqlType: 'numeric', parse: parseAmount },
  cod_amount: { field: 'cod_amount', sqlType: 'numeric', parse: parseAmount },
  pay_type: { field: 'pay_type', sqlType: 'text', parse: parsePayType },
  declared_value: { field: 'declared_value', sqlType: 'numeric', parse: parseAmount },
  items: { field: 'items', sqlType: 'jsonb', parse: parseItemList },
  courier_code: { field: 'courier_code', sqlType: 'text', parse: createTextParser(100) },
  courier_name: { field: 'courier_name', sqlType: 'text', parse: parseLine },
  courier_phone: { field: 'courier_phone', sqlType: 'text', parse: createTextParser(100) },
  person: { field: 'person', sqlType: 'text', parse: parseName },
  company: { field: 'company', sqlType: 'text', parse: parseName },
  phone: { field: 'phone', sqlType: 'text', parse: createTextParser(100) },
  address: { field: 'address', sqlType: 'text', parse: createTextParser(1000) },
  town: { field: 'town', sqlType: 'text', parse: parseName },
} as const

type Details = typeof details
type ParsedValue<Parser> = Parser extends (text: string) => CellResult<infer Value> ? Value : never

/** Null means that the source does not give the detail. */
export type ParcelDetails = {
  -readonly [Name in keyof Details]: ParsedValue<Details[Name]['parse']> | null
}
export type DetailField = Details[keyof Details]['field']

export const detailNames = Object.keys(details) as (keyof Details)[]

export const getDetailSqlType = (name: keyof Details): string => details[name].sqlType

/** Reads every detail. `read` parses the text of one field; it gives null where the field is empty or unreadable. */
export const readParcelDetails = (
  read: (field: DetailField, parse: (text: string) => CellResult<string | number>) => string | number | null,
): ParcelDetails =>
  Object.fromEntries(
    detailNames.map((name) => [name, read(details[name].field, details[name].parse)]),
  ) as ParcelDetails
