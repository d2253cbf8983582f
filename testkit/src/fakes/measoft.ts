import { text as readBody } from 'node:stream/consumers'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { actLinesXml, actListXml, type FakeAct } from './measoft.acts.ts'

export interface CourierStatus {
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
  /** yyyy-mm-dd of the order. */
  day?: string
  /** Oldest first. */
  statuses: CourierStatus[]
}

/** The probability of each fault per request, from 0 to 1. */
export interface CourierFaults {
  /** The answer ends in the middle. */
  truncated?: number
  broken?: number
  garbage?: number
  drop?: number
  /** The answer contains some rows twice, in another order. */
  repeat_rows?: number
  /** The commit is answered and not stored. */
  forget_commit?: number
  chance?: () => number
}

export interface FakeMeasoft {
  url: string
  faults: CourierFaults
  /** Intercepts commits, which then get no answer. Calling `commit` stores the commit. */
  interceptCommit: ((commit: () => void) => void) | null
  /** The answer to the next `statusreq`, instead of the changed parcels. */
  nextAnswer: { contentType: string; body: Buffer } | null
  readonly parcels: Map<string, CourierParcel>
  /** Settlement acts by their codes; null on a server that does not know them. */
  acts: Map<string, FakeAct> | null
  /** Names of elements of acts that an older server leaves out. */
  missingElements: ReadonlySet<string>
  /** The time and the name of each request. */
  readonly requests: { at: number; name: string }[]
  /** Adds or replaces a parcel, and reports it as changed. */
  publish(parcel: CourierParcel): void
  close(): Promise<void>
}

/** Maximum number of orders in one answer. */
const maxOrders = 50

export interface CourierLogin {
  extra: string
  login: string
  pass: string
}

/** Creates a handler that answers like MeaSoft's XML API, for one account. */
export function createMeasoftHandler(account: CourierLogin) {
  const parcels = new Map<string, CourierParcel>()
  const requests: { at: number; name: string }[] = []
  // The orders of the last answer that are not committed yet, each with the number of its statuses in that answer.
  const changedOrders = new Set<string>()
  let uncommittedChanges = new Map<string, number>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const xml = await readBody(request)
    const name = /<(statusreq|commitlaststatus|services|smalist|smadetail)[\s>/]/.exec(xml)?.[1] ?? 'unknown'
    requests.push({ at: Date.now(), name })
    const chance = state.faults.chance ?? Math.random
    const {
      drop = 0,
      broken = 0,
      garbage = 0,
      truncated = 0,
      repeat_rows = 0,
      forget_commit = 0,
    } = state.faults
    if (chance() < drop) return void request.socket.resetAndDestroy()
    const send = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8' }).end(text)
    if (chance() < broken) return void send(500, 'error')
    if (chance() < garbage) return void send(200, '<html><body>Технические работы</body>')
    const signedIn = ['extra', 'login', 'pass'].every((key) =>
      xml.includes(`${key}="${escapeXml(account[key as 'extra' | 'login' | 'pass'])}"`),
    )
    if (!signedIn)
      return void send(
        200,
        `<${name} error="25" errormsg="Access denied" errormsgru="Неверный логин или пароль"/>`,
      )
    if (name === 'services')
      return void send(
        200,
        '<services count="2"><service><code>1</code><name>Экспресс</name></service>' +
          '<service><code>2</code><name>До двери</name></service></services>',
      )
    if (name === 'commitlaststatus' && state.interceptCommit !== null) return state.interceptCommit(commit)
    if (name === 'commitlaststatus') {
      if (chance() >= forget_commit) commit()
      return void send(200, '<commitlaststatus error="0" errormsg="OK"/>')
    }
    if (state.acts !== null && name === 'smalist') {
      const period = { from: readElement(xml, 'datefrom'), to: readElement(xml, 'dateto') }
      return void send(200, actListXml(state.acts.values(), period, state.missingElements))
    }
    if (state.acts !== null && name === 'smadetail')
      return void send(200, actLinesXml(state.acts.get(readElement(xml, 'code')), state.missingElements))
    if (name !== 'statusreq') return void send(200, '<error error="3" errormsg="Unknown request"/>')
    if (state.nextAnswer !== null) {
      const { contentType, body } = state.nextAnswer
      state.nextAnswer = null
      return void response.writeHead(200, { 'content-type': contentType }).end(body)
    }
    const rows = [...changedOrders].slice(0, maxOrders).flatMap((orderno) => parcels.get(orderno) ?? [])
    uncommittedChanges = new Map(rows.map(({ orderno, statuses }) => [orderno, statuses.length]))
    const answeredRows = chance() < repeat_rows ? [...rows.toReversed(), ...rows.slice(0, 5)] : rows
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<statusreq count="${answeredRows.length}">${answeredRows.map(orderXml).join('')}</statusreq>`
    if (chance() >= truncated) return void send(200, text)
    const half = text.slice(0, Math.floor(text.length * chance()))
    send(200, half)
  }

  function commit(): void {
    for (const [orderno, statuses] of uncommittedChanges)
      if (parcels.get(orderno)?.statuses.length === statuses) changedOrders.delete(orderno)
    uncommittedChanges.clear()
  }

  const state: Omit<FakeMeasoft, 'url' | 'close'> = {
    faults: {},
    interceptCommit: null,
    nextAnswer: null,
    parcels,
    acts: new Map(),
    missingElements: new Set(),
    requests,
    publish(parcel) {
      parcels.set(parcel.orderno, parcel)
      changedOrders.add(parcel.orderno)
    },
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => response.destroy())
  }
  return { state, onRequest }
}

/** Starts a server that acts as MeaSoft; see {@link createMeasoftHandler}. */
export async function startMeasoft(account: CourierLogin): Promise<FakeMeasoft> {
  const { state, onRequest } = createMeasoftHandler(account)
  const server = createServer(onRequest)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function orderXml(parcel: CourierParcel): string {
  const { orderno, person, phone, town, address, weight, price, statuses } = parcel
  const { day = '2026-11-20', payType = 'CASH' } = parcel
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
const readElement = (xml: string, name: string) =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
