interface CourierStatus {
  code: string
  title: string
  /** yyyy-mm-dd hh:mm:ss, the branch's local time. */
  eventtime: string
}

/** An item of a parcel; `price` of one piece. */
interface CourierParcelItem {
  name: string
  article: string
  quantity: number
  price: string
}

export interface CourierParcel {
  orderno: string
  person: string
  phone: string
  town: string
  address: string
  weight: string
  /** What the delivery costs. */
  price: string
  /** What the courier collects from the receiver. Without it, the answer has no such element. */
  collected?: string
  /** CASH by default. */
  payType?: string
  declaredValue?: string
  courier?: { code: string; name: string; phone: string }
  items?: readonly CourierParcelItem[]
  /** yyyy-mm-dd of the order. {@link defaultDay} by default. */
  day?: string
  /** Oldest first. */
  statuses: CourierStatus[]
}

export const defaultDay = '2026-11-20'

export const servicesXml =
  '<services count="2"><service><code>1</code><name>Экспресс</name></service>' +
  '<service><code>2</code><name>До двери</name></service></services>'

/** The answer to `statusreq`. */
export const statusesXml = (parcels: readonly CourierParcel[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<statusreq count="${parcels.length}">${parcels.map(orderXml).join('')}</statusreq>`

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function orderXml(parcel: CourierParcel): string {
  const { orderno, person, phone, town, address, weight, price, statuses } = parcel
  const { day = defaultDay, payType = 'CASH' } = parcel
  const status = ({ code, title, eventtime }: CourierStatus) =>
    `<status eventstore="Ташкент" eventtime="${eventtime}" createtimegmt="${eventtime}" message="" title="${escapeXml(title)}">${code}</status>`
  const last = statuses.at(-1)
  return (
    `<order orderno="${escapeXml(orderno)}" awb="" orderno2="" ordercode="" givencode="">` +
    `<barcode>B${escapeXml(orderno)}</barcode><sender><company>Do‘kon</company></sender>` +
    `<receiver><company/><person>${escapeXml(person)}</person><phone>${escapeXml(phone)}</phone>` +
    `<town code="1" country="UZ">${escapeXml(town)}</town><address>${escapeXml(address)}</address><date>${day}</date></receiver>` +
    `<weight>${weight}</weight><quantity>1</quantity><paytype>${escapeXml(payType)}</paytype><service>1</service><type>2</type>` +
    paymentXml(parcel) +
    `<deliveryprice total="${price}" delivery="${price}" return="0">${price}</deliveryprice>` +
    (last === undefined ? '' : status(last)) +
    `<statushistory>${statuses.map(status).join('')}</statushistory></order>`
  )
}

function paymentXml({ collected, declaredValue, courier, items }: CourierParcel): string {
  const element = (name: string, text: string | undefined) =>
    text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`
  const item = ({ name, article, quantity, price }: CourierParcelItem) =>
    `<item code="" article="${escapeXml(article)}" barcode="" quantity="${quantity}" mass="0.3" retprice="${price}" VATrate="0">${escapeXml(name)}</item>`
  return (
    element('price', collected) +
    element('inshprice', declaredValue) +
    (courier === undefined
      ? ''
      : `<courier>${element('code', courier.code)}${element('name', courier.name)}${element('phone', courier.phone)}</courier>`) +
    (items === undefined ? '' : `<items>${items.map(item).join('')}</items>`)
  )
}

/** The text of an element of a request. Empty where the request has none. */
export const readElement = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
