import { connect, type Socket } from 'node:net'

/** Addresses that one attacker has. */
const addresses = 4

/** Keeps connections of an attacker open and lets each of them do its worst, until `stop`. */
export class Flood {
  readonly #url: URL
  readonly #network: number
  readonly #open = new Set<Socket>()
  #stopped = false

  /** `network` keeps the addresses of one attack apart from those of the others. */
  constructor(url: string, network: number) {
    this.#url = new URL(url)
    this.#network = network
  }

  /** `count` connections, each new one as soon as one ends; `begin` sends what the attack is. */
  run(count: number, begin: (socket: Socket) => void): void {
    for (let n = 0; n < count; n += 1) this.#connect(`127.9.${this.#network}.${1 + (n % addresses)}`, begin)
  }

  stop(): void {
    this.#stopped = true
    for (const socket of this.#open) socket.destroy()
  }

  #connect(localAddress: string, begin: (socket: Socket) => void): void {
    if (this.#stopped) return
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), localAddress })
    this.#open.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.once('connect', () => begin(socket))
    socket.once('close', () => {
      this.#open.delete(socket)
      setTimeout(() => this.#connect(localAddress, begin), 20)
    })
  }
}
