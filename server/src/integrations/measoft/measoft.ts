import { cutText } from '@karvon/contract/lib/cut-text.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { XMLBuilder } from 'fast-xml-parser'
import { mapInTurns } from '../../platform/outgoing-http/answers.ts'
import { isEmptyDate } from '../../platform/spreadsheets/spreadsheets.values.ts'
import { readActLines, readActs, type CourierAct, type CourierActLine } from './measoft.acts.ts'
import { CourierError, CourierRefusal } from './measoft.error.ts'
import {
  getAttribute,
  getAttributeText,
  getChildren,
  readXml,
  getChildText,
  type Element,
} from './measoft.xml.ts'

/** One event of an order. `time` is the branch's local time without an offset, or GMT with a Z; null if it has none. */
export interface CourierEvent {
  code: string
  title: string
  time: string | null
}

/** One item of an order; null for a missing value. `weight` in kg and `price` are of one piece, as decimal texts. */
export interface CourierItem {
  name: string | null
  code: string | null
  article: string | null
  barcode: string | null
  quantity: string | null
  weight: string | null
  price: string | null
}

/** An order of MeaSoft; null for a missing value. Weight in kg and amounts as decimal texts. */
export interface CourierOrder {
  orderno: string
  barcode: string | null
  date: string | null
  person: string | null
  company: string | null
  phone: string | null
  address: string | null
  town: string | null
  weight: string | null
  quantity: string | null
  /** Codes. `fetchServices` has the names of service codes. */
  type: string | null
  service: string | null
  delivery_price: string | null
  /** What the courier collects from the receiver; 0 for a prepaid order. */
  cod_amount: string | null
  pay_type: string | null
  declared_value: string | null
  courier_code: string | null
  courier_name: string | null
  courier_phone: string | null
  items: CourierItem[]
  /** The current status, and then the history in the order of the answer. */
  events: CourierEvent[]
  /** The number of statuses that are left out because there are more than {@link maxHistory}: all but the current one. */
  omitted: number
}

/** Posts an XML text and answers the text of the answer. Throws {@link CourierError}. */
export type PostXml = (url: string, xml: string) => Promise<string>

export interface Measoft {
  /** The orders whose status changed since the last {@link commitChanges}; the same orders again until then. */
  fetchChanges(): Promise<CourierOrder[]>
  /** Confirms that the orders of {@link fetchChanges} are stored. */
  commitChanges(): Promise<void>
  /** The orders that were created on inclusive days, yyyy-mm-dd, whether they changed or not. */
  fetchCreatedOrders(from: string, to: string): Promise<CourierOrder[]>
  /** The names of services by their codes. */
  fetchServices(): Promise<Map<string, string>>
  /** The settlement acts of inclusive days, yyyy-mm-dd. Throws {@link CourierRefusal} where the server has none. */
  fetchActs(from: string, to: string): Promise<CourierAct[]>
  /** The lines of the act with this code. */
  fetchActLines(code: string): Promise<CourierActLine[]>
}

/** Statuses of an order. A real order has some dozens. */
const maxHistory = 1000

/** Separates Karvon's changes from those of other clients of an account (100 to 10000; vendor's documentation). */
const streamId = '7315'

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' })

/**
 * Opens a client of an account at a MeaSoft server, which has one address for XML by POST. Errors are reported by their
 * messages only, since the error numbers differ between calls (a refused sign-in is 1 in one table and 25 in another).
 */
export function openMeasoft(
  account: { url: string; extra: string; login: string; pass: string },
  post: PostXml,
): Measoft {
  const { url, extra, login, pass } = account
  const request = async (name: string, content: Record<string, string>): Promise<Element> => {
    const auth = { '@extra': extra, '@login': login, '@pass': pass }
    const xml = builder.build({ [name]: { auth, ...content } })
    const answer = await readXml(await post(url, `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`))
    const rootName = Object.keys(answer).find((key) => !key.startsWith('?')) ?? ''
    if (/^html$/i.test(rootName)) throw new CourierError(describeSync('courier_web_page'))
    const [root] = getChildren(answer, rootName)
    if (root === undefined) throw new CourierError(describeSync('courier_empty'))
    const refusal = [root, ...getChildren(root, 'error')].find(
      (element) => !/^0?$/.test(getAttribute(element, 'error') ?? ''),
    )
    if (refusal === undefined) return root
    const message = readErrorText(refusal)
    if (message === '') throw new CourierRefusal(describeSync('courier_refusal'))
    // The message may contain the password.
    throw new CourierRefusal(
      describeSync('courier_message', { message: message.replaceAll(pass || '\0', '…') }),
    )
  }
  const fetchOrders = async (conditions: Record<string, string>): Promise<CourierOrder[]> => {
    const root = await request('statusreq', { client: 'CLIENT', ...conditions })
    return requireAll(root, 'orders', await mapInTurns(getChildren(root, 'order'), parseOrder))
  }
  return {
    fetchChanges: () => fetchOrders({ streamid: streamId, changes: 'ONLY_LAST' }),
    fetchCreatedOrders: (datefrom, dateto) => fetchOrders({ datefrom, dateto }),
    async commitChanges() {
      await request('commitlaststatus', { client: 'CLIENT', streamid: streamId })
    },
    async fetchServices() {
      const root = await request('services', {})
      return new Map(
        getChildren(root, 'service').flatMap((service) => {
          const [code, name] = [getChildText(service, 'code'), getChildText(service, 'name')]
          return code === null || name === null ? [] : [[code, name] as const]
        }),
      )
    },
    async fetchActs(datefrom, dateto) {
      const root = await request('smalist', { datefrom, dateto })
      return requireAll(root, 'acts', await readActs(root))
    },
    async fetchActLines(code) {
      const root = await request('smadetail', { code })
      return requireAll(root, 'lines', await readActLines(root))
    },
  }
}

/** Throws {@link CourierError} when the answer counts more rows than it has. */
function requireAll<Row>(root: Element, noun: 'orders' | 'acts' | 'lines', rows: Row[]): Row[] {
  const count = Number(getAttribute(root, 'count')?.replaceAll(/\s/g, ''))
  // An answer without a readable count is complete, because its XML has an end.
  if (Number.isNaN(count) || count <= rows.length) return rows
  throw new CourierError(describeSync(`courier_${noun}_cut`, { count, sent: rows.length }))
}

function readErrorText(element: Element): string {
  const message = getAttribute(element, 'errormsgru') ?? getAttribute(element, 'errormsg') ?? ''
  return cutText(message.trim(), 300)
}

function parseOrder(order: Element): CourierOrder {
  const [receiver = {}] = getChildren(order, 'receiver')
  const [price] = getChildren(order, 'deliveryprice')
  const [courier = {}] = getChildren(order, 'courier')
  const [items = {}] = getChildren(order, 'items')
  const [history = {}] = getChildren(order, 'statushistory')
  const currentStatuses = getChildren(order, 'status')
  const pastStatuses = getChildren(history, 'status')
  const statusCount = currentStatuses.length + pastStatuses.length
  const isTooLong = statusCount > maxHistory
  const statuses = isTooLong ? currentStatuses.slice(0, 1) : [...currentStatuses, ...pastStatuses]
  return {
    orderno: getValue(order, 'orderno') ?? '',
    barcode: getChildText(order, 'barcode') ?? getAttribute(order, 'awb'),
    date: getChildText(receiver, 'date'),
    person: getChildText(receiver, 'person'),
    company: getChildText(receiver, 'company'),
    phone: getChildText(receiver, 'phone'),
    address: getChildText(receiver, 'address'),
    town: getChildText(receiver, 'town'),
    weight: getChildText(order, 'weight'),
    quantity: getChildText(order, 'quantity'),
    type: getChildText(order, 'type'),
    service: getChildText(order, 'service'),
    delivery_price:
      price === undefined ? null : (getAttributeText(price, 'total') ?? getChildText(order, 'deliveryprice')),
    cod_amount: getChildText(order, 'price'),
    pay_type: getChildText(order, 'paytype'),
    declared_value: getChildText(order, 'inshprice'),
    courier_code: getValue(courier, 'code'),
    courier_name: getValue(courier, 'name'),
    courier_phone: getValue(courier, 'phone'),
    items: getChildren(items, 'item').map(parseItem),
    events: statuses.flatMap(parseEvents),
    omitted: statusCount - statuses.length,
  }
}

/** Parses one item. Its name is its text. */
function parseItem(item: Element): CourierItem {
  return {
    name: getChildText({ item }, 'item'),
    code: getValue(item, 'code'),
    article: getValue(item, 'article'),
    barcode: getValue(item, 'barcode'),
    quantity: getValue(item, 'quantity'),
    weight: getValue(item, 'mass'),
    price: getValue(item, 'retprice'),
  }
}

// Servers differ in whether a value is an attribute or a child. An empty attribute is missing.
const getValue = (element: Element, name: string): string | null =>
  getAttributeText(element, name) ?? getChildText(element, name)

/** Parses one status. A status without a code gives no event. */
function parseEvents(status: Element): CourierEvent[] {
  const readAttribute = (name: string) => getAttributeText(status, name)
  const readTime = (name: string) => {
    const time = readAttribute(name)
    return time === null || isEmptyDate(time) ? null : time
  }
  const code = getChildText({ status }, 'status')
  const gmt = readTime('createtimegmt')
  const time =
    readTime('eventtime') ?? (gmt === null || /(?:Z|[+-]\d{2}:?\d{2})$/.test(gmt) ? gmt : `${gmt}Z`)
  return code === null ? [] : [{ code, title: readAttribute('title') ?? code, time }]
}
