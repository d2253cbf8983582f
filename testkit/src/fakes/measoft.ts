import { text as readBody } from 'node:stream/consumers'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  defaultDay,
  escapeXml,
  readElement,
  servicesXml,
  statusesXml,
  type CourierParcel,
} from './measoft.xml.ts'
import { actLinesXml, actListXml, type FakeAct } from './measoft.acts.ts'

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
  const changes = new UncommittedChanges()
  const state: Omit<FakeMeasoft, 'url' | 'close'> = {
    faults: {},
    interceptCommit: null,
    nextAnswer: null,
    parcels: changes.parcels,
    acts: new Map(),
    missingElements: new Set(),
    requests: [],
    publish: (parcel) => changes.publish(parcel),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const xml = await readBody(request)
    const name = /<(statusreq|commitlaststatus|services|smalist|smadetail)[\s>/]/.exec(xml)?.[1] ?? 'unknown'
    state.requests.push({ at: Date.now(), name })
    const { drop = 0, broken = 0, garbage = 0, forget_commit = 0, chance = Math.random } = state.faults
    if (chance() < drop) return void request.socket.resetAndDestroy()
    const send = (status: number, text: string) =>
      void response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8' }).end(text)
    if (chance() < broken) return send(500, 'error')
    if (chance() < garbage) return send(200, '<html><body>Технические работы</body>')
    if (!isSignedIn(xml, account))
      return send(
        200,
        `<${name} error="25" errormsg="Access denied" errormsgru="Неверный логин или пароль"/>`,
      )
    if (name === 'services') return send(200, servicesXml)
    if (name === 'commitlaststatus') {
      if (state.interceptCommit !== null) return state.interceptCommit(() => changes.commit())
      if (chance() >= forget_commit) changes.commit()
      return send(200, '<commitlaststatus error="0" errormsg="OK"/>')
    }
    if (state.acts !== null && name === 'smalist') {
      const period = { from: readElement(xml, 'datefrom'), to: readElement(xml, 'dateto') }
      return send(200, actListXml(state.acts.values(), period, state.missingElements))
    }
    if (state.acts !== null && name === 'smadetail')
      return send(200, actLinesXml(state.acts.get(readElement(xml, 'code')), state.missingElements))
    if (name !== 'statusreq') return send(200, '<error error="3" errormsg="Unknown request"/>')
    if (state.nextAnswer !== null) {
      const { contentType, body } = state.nextAnswer
      state.nextAnswer = null
      return void response.writeHead(200, { 'content-type': contentType }).end(body)
    }
    const orders =
      readElement(xml, 'changes') === 'ONLY_LAST'
        ? changes.read()
        : filterByDay(state.parcels.values(), readElement(xml, 'datefrom'), readElement(xml, 'dateto'))
    send(200, createStatusAnswer(orders, state.faults))
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => response.destroy())
  }
  return { state, onRequest }
}

/** The parcels that changed since the client last committed an answer. */
class UncommittedChanges {
  readonly parcels = new Map<string, CourierParcel>()
  readonly #changedOrders = new Set<string>()
  /** The orders of the last answer that are not committed yet, each with the number of its statuses in that answer. */
  #answeredOrders = new Map<string, number>()

  publish(parcel: CourierParcel): void {
    this.parcels.set(parcel.orderno, parcel)
    this.#changedOrders.add(parcel.orderno)
  }

  read(): CourierParcel[] {
    const rows = [...this.#changedOrders]
      .slice(0, maxOrders)
      .flatMap((orderno) => this.parcels.get(orderno) ?? [])
    this.#answeredOrders = new Map(rows.map(({ orderno, statuses }) => [orderno, statuses.length]))
    return rows
  }

  commit(): void {
    for (const [orderno, statuses] of this.#answeredOrders)
      if (this.parcels.get(orderno)?.statuses.length === statuses) this.#changedOrders.delete(orderno)
    this.#answeredOrders.clear()
  }
}

const filterByDay = (parcels: Iterable<CourierParcel>, from: string, to: string): CourierParcel[] =>
  [...parcels].filter(({ day = defaultDay }) => day >= from && day <= to)

const isSignedIn = (xml: string, { extra, login, pass }: CourierLogin) =>
  Object.entries({ extra, login, pass }).every(([key, value]) => xml.includes(`${key}="${escapeXml(value)}"`))

/** The answer to `statusreq`. Rows may repeat, and the answer may end in the middle. */
function createStatusAnswer(
  rows: readonly CourierParcel[],
  { repeat_rows = 0, truncated = 0, chance = Math.random }: CourierFaults,
): string {
  const answeredRows = chance() < repeat_rows ? [...rows.toReversed(), ...rows.slice(0, 5)] : rows
  const text = statusesXml(answeredRows)
  return chance() >= truncated ? text : text.slice(0, Math.floor(text.length * chance()))
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
