import { mapInTurns } from '../../platform/outgoing-http/answers.ts'
import { getAttributeText, getChildren, getChildText, type Element } from './measoft.xml.ts'

/** A settlement act in the courier's list; null for a missing value. Amounts are decimal texts, days yyyy-mm-dd. */
export interface CourierAct {
  code: string | null
  number: string | null
  act_date: string | null
  /** Missing until the act is paid. */
  paid_at: string | null
  collected: string | null
  /** The price of the services, and the correction of it. */
  fees: string | null
  correction: string | null
  pay_type: string | null
  /** YES or NO. */
  signed_copy: string | null
}

/** A line of an act. `fee` is the sum of the two others, `due` the collected amount less `fee` (vendor's examples). */
export interface CourierActLine {
  code: string | null
  orderno: string | null
  order_date: string | null
  delivered_date: string | null
  company: string | null
  collected: string | null
  /** All fees. Of `fee`, `delivery_fee` and `cash_fee` any may be missing. */
  fee: string | null
  delivery_fee: string | null
  cash_fee: string | null
  due: string | null
  declared_value: string | null
  weight: string | null
  pay_type: string | null
  status_title: string | null
}

/** The vendor's names. */
const actNames = {
  code: 'code',
  number: 'number',
  act_date: 'actdate',
  paid_at: 'datepay',
  collected: 'rur',
  fees: 'price',
  correction: 'pricecorr',
  pay_type: 'paytype',
  signed_copy: 'signedcopyreceived',
} as const satisfies Record<keyof CourierAct, string>

const lineNames = {
  code: 'code',
  orderno: 'orderno',
  order_date: 'orderdate',
  delivered_date: 'delivereddate',
  company: 'company',
  collected: 'rur',
  fee: 'price',
  delivery_fee: 'pricekur',
  cash_fee: 'priceag',
  due: 'pricecalc',
  declared_value: 'inshprice',
  weight: 'weight',
  pay_type: 'paytype',
  status_title: 'status',
} as const satisfies Record<keyof CourierActLine, string>

/** Reads values by the vendor's names, which may be elements or attributes. */
function readValues<Key extends string>(
  element: Element,
  names: Readonly<Record<Key, string>>,
): Record<Key, string | null> {
  const read = (name: string) => getChildText(element, name) ?? getAttributeText(element, name)
  return Object.fromEntries(Object.entries<string>(names).map(([key, name]) => [key, read(name)])) as Record<
    Key,
    string | null
  >
}

export const readActs = (root: Element): Promise<CourierAct[]> =>
  mapInTurns(getChildren(root, 'sma'), (element) => readValues(element, actNames))

export const readActLines = (root: Element): Promise<CourierActLine[]> =>
  mapInTurns(getChildren(root, 'specialsma'), (element) => readValues(element, lineNames))
