import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CourierStatus {
  code: string
  title: string
  /** yyyy-mm-dd hh:mm:ss, the branch's local time. */
  eventtime: string
}

export interface CourierParcel {
  orderno: string
  person: string
  phone: string
  town: string
  address: string
  weight: string
  price: string
  /** yyyy-mm-dd of the order. */
  day?: string
  /** Oldest first. */
  statuses: CourierStatus[]
}

/** How likely each bad thing is at a request, from 0 to 1. */
export interface CourierFaults {
  /** The answer ends in the middle. */
  cut?: number
  broken?: number
  garbage?: number
  drop?: number
  /** Rows stand in the answer twice, and in another order. */
  repeat?: number
  /** The commit is answered, and forgotten. */
  forgetCommit?: number
  chance?: () => number
}

export interface FakeMeasoft {
  url: string
  faults: CourierFaults
  /** Takes over commits, none of which is then answered; it says by `count` whether one counts. */
  hold: ((count: () => void) => void) | null
  readonly parcels: Map<string, CourierParcel>
  /** When each request came, and what it asked. */
  readonly hits: { at: number; name: string }[]
  /** Puts a parcel there, or one more status to it; it is then told as changed. */
  tell(parcel: CourierParcel): void
  close(): Promise<void>
}

/** Rows of one answer at the most. */
const batch = 50

export interface CourierLogin {
  extra: string
  login: string
  pass: string
}

/** Speaks MeaSoft's XML for one account: statusreq, commitlaststatus and services. */
export function playMeasoft(account: CourierLogin) {
  const parcels = new Map<string, CourierParcel>()
  const hits: { at: number; name: string }[] = []
  // What was told and not committed yet, by the number of statuses that were told.
  const changed = new Set<string>()
  let told = new Map<string, number>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const xml = await textOf(request)
    const name = /<(statusreq|commitlaststatus|services)[\s>/]/.exec(xml)?.[1] ?? 'unknown'
    hits.push({ at: Date.now(), name })
    const chance = stand.faults.chance ?? Math.random
    const { drop = 0, broken = 0, garbage = 0, cut = 0, repeat = 0, forgetCommit = 0 } = stand.faults
    if (chance() < drop) return void request.socket.resetAndDestroy()
    const send = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8' }).end(text)
    if (chance() < broken) return void send(500, 'error')
    if (chance() < garbage) return void send(200, '<html><body>Технические работы</body>')
    const signedIn = ['extra', 'login', 'pass'].every((key) =>
      xml.includes(`${key}="${escaped(account[key as 'extra' | 'login' | 'pass'])}"`),
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
    if (name === 'commitlaststatus' && stand.hold !== null) return stand.hold(commit)
    if (name === 'commitlaststatus') {
      if (chance() >= forgetCommit) commit()
      return void send(200, '<commitlaststatus error="0" errormsg="OK"/>')
    }
    if (name !== 'statusreq') return void send(200, '<error error="3" errormsg="Unknown request"/>')
    const rows = [...changed].slice(0, batch).flatMap((orderno) => parcels.get(orderno) ?? [])
    told = new Map(rows.map(({ orderno, statuses }) => [orderno, statuses.length]))
    const shown = chance() < repeat ? [...rows.toReversed(), ...rows.slice(0, 5)] : rows
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<statusreq count="${shown.length}">${shown.map(orderXml).join('')}</statusreq>`
    if (chance() >= cut) return void send(200, text)
    const half = text.slice(0, Math.floor(text.length * chance()))
    send(200, half)
  }

  function commit(): void {
    for (const [orderno, statuses] of told)
      if (parcels.get(orderno)?.statuses.length === statuses) changed.delete(orderno)
    told.clear()
  }

  const stand: Omit<FakeMeasoft, 'url' | 'close'> = {
    faults: {},
    hold: null,
    parcels,
    hits,
    tell(parcel) {
      parcels.set(parcel.orderno, parcel)
      changed.add(parcel.orderno)
    },
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => response.destroy())
  }
  return { stand, onRequest }
}

/** A small server of its own that plays MeaSoft; see {@link playMeasoft}. */
export async function startMeasoft(account: CourierLogin): Promise<FakeMeasoft> {
  const { stand, onRequest } = playMeasoft(account)
  const server = createServer(onRequest)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return Object.assign(stand, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function orderXml(parcel: CourierParcel): string {
  const { orderno, person, phone, town, address, weight, price, statuses, day = '2026-11-20' } = parcel
  const status = ({ code, title, eventtime }: CourierStatus) =>
    `<status eventstore="Ташкент" eventtime="${eventtime}" createtimegmt="${eventtime}" message="" title="${escaped(title)}">${code}</status>`
  const last = statuses.at(-1)
  return (
    `<order orderno="${escaped(orderno)}" awb="" orderno2="" ordercode="" givencode="">` +
    `<barcode>B${escaped(orderno)}</barcode><sender><company>Do‘kon</company></sender>` +
    `<receiver><company/><person>${escaped(person)}</person><phone>${escaped(phone)}</phone>` +
    `<town code="1" country="UZ">${escaped(town)}</town><address>${escaped(address)}</address><date>${day}</date></receiver>` +
    `<weight>${weight}</weight><quantity>1</quantity><paytype>CASH</paytype><service>1</service><type>2</type>` +
    `<deliveryprice total="${price}" delivery="${price}" return="0">${price}</deliveryprice>` +
    (last === undefined ? '' : status(last)) +
    `<statushistory>${statuses.map(status).join('')}</statushistory></order>`
  )
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
