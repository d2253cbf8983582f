import { XMLBuilder } from 'fast-xml-parser'
import { CourierError } from './measoft.error.ts'
import { attribute, list, readXml, text, type Element } from './measoft.xml.ts'

/** One event of an order. `time` is the branch's local time without an offset, or GMT with its Z; see `readTime`. */
export interface CourierEvent {
  code: string
  title: string
  time: string
}

/** An order as MeaSoft tells of it; null where it does not. Weight in kg and money as decimal texts. */
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
  /** Codes; `services` gives names to those of the service. */
  type: string | null
  service: string | null
  delivery_price: string | null
  /** The present status and the history, as they stood in the answer. */
  events: CourierEvent[]
}

/** Sends an XML text and answers the answer's; throws {@link CourierError} where nothing usable came back. */
export type PostXml = (url: string, xml: string) => Promise<string>

export interface Measoft {
  /** Orders whose status changed since the last {@link commit}; the same ones again until then. */
  changes(): Promise<CourierOrder[]>
  /** Says that what {@link changes} gave is stored for good. */
  commit(): Promise<void>
  /** Names of services by their codes. */
  services(): Promise<Map<string, string>>
}

/** Separates Karvon's reading of an account from anybody else's (100 to 10000; vendor's documentation). */
const streamId = '7315'

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' })

/**
 * An account at a MeaSoft server: POST of XML to one address. An error is told by its message alone, since the
 * numbers differ from call to call (a refused sign-in is 1 in one table and 25 in another).
 */
export function openMeasoft(
  account: { url: string; extra: string; login: string; pass: string },
  post: PostXml,
): Measoft {
  const { url, extra, login, pass } = account
  const ask = async (name: string, content: Record<string, string>): Promise<Element> => {
    const auth = { '@extra': extra, '@login': login, '@pass': pass }
    const xml = builder.build({ [name]: { auth, ...content } })
    const answer = await readXml(await post(url, `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`))
    const [root] = Object.keys(answer).flatMap((each) => (each.startsWith('?') ? [] : list(answer, each)))
    if (root === undefined) throw new CourierError('The courier answered without any content.')
    const refused = [root, ...list(root, 'error')].find(
      (each) => !/^0?$/.test(attribute(each, 'error') ?? ''),
    )
    // It may repeat what it was sent.
    if (refused !== undefined)
      throw new CourierError(`The courier says: ${refusal(refused).replaceAll(pass || '\0', '…')}`)
    return root
  }
  return {
    async changes() {
      const root = await ask('statusreq', { client: 'CLIENT', streamid: streamId, changes: 'ONLY_LAST' })
      const orders = list(root, 'order').map(orderOf)
      const count = Number(attribute(root, 'count') ?? orders.length)
      if (count > orders.length)
        throw new CourierError(
          `The courier told of ${count} orders and gave ${orders.length}: the answer was cut off.`,
        )
      return orders
    },
    async commit() {
      await ask('commitlaststatus', { client: 'CLIENT', streamid: streamId })
    },
    async services() {
      const root = await ask('services', {})
      return new Map(
        list(root, 'service').flatMap((each) => {
          const [code, name] = [text(each, 'code'), text(each, 'name')]
          return code === null || name === null ? [] : [[code, name] as const]
        }),
      )
    },
  }
}

function refusal(element: Element): string {
  const said = attribute(element, 'errormsgru') ?? attribute(element, 'errormsg')
  return said === null || said.trim() === '' ? 'it refused, without a reason.' : said.trim().slice(0, 300)
}

function orderOf(order: Element): CourierOrder {
  const [receiver = {}] = list(order, 'receiver')
  const [price] = list(order, 'deliveryprice')
  const [history = {}] = list(order, 'statushistory')
  const events = [...list(order, 'status'), ...list(history, 'status')].flatMap(eventOf)
  return {
    orderno: attribute(order, 'orderno') ?? text(order, 'orderno') ?? '',
    barcode: text(order, 'barcode') ?? attribute(order, 'awb'),
    date: text(receiver, 'date'),
    person: text(receiver, 'person'),
    company: text(receiver, 'company'),
    phone: text(receiver, 'phone'),
    address: text(receiver, 'address'),
    town: text(receiver, 'town'),
    weight: text(order, 'weight'),
    quantity: text(order, 'quantity'),
    type: text(order, 'type'),
    service: text(order, 'service'),
    delivery_price: price === undefined ? null : (attribute(price, 'total') ?? text(order, 'deliveryprice')),
    events,
  }
}

/** A status without a code or a time says nothing. */
function eventOf(status: Element): CourierEvent[] {
  const said = (name: string) => attribute(status, name)?.trim() || null
  const code = text({ status }, 'status')
  const gmt = said('createtimegmt')
  const time = said('eventtime') ?? (gmt === null ? null : `${gmt}Z`)
  if (code === null || time === null) return []
  return [{ code, title: said('title') ?? code, time }]
}
