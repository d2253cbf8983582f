import { connect, type Socket } from 'node:net'
import { attacks, type FloodOrder } from './resources.attacks.ts'

/** Addresses that one attacker has. */
const addresses = 4

// The process of an attacker: keeps connections open, each new one as soon as one ends, until it is killed or alone.
process.once('disconnect', () => process.exit())
process.once('message', (order: FloodOrder) => {
  const attack = attacks[order.attack]
  if (attack === undefined) throw new Error(`There is no attack ${order.attack}`)
  const { hostname, port } = new URL(order.url)
  const open = (localAddress: string) => {
    const socket: Socket = connect({ host: hostname, port: Number(port), localAddress })
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.once('connect', () => attack.begin(socket, order.token))
    socket.once('close', () => setTimeout(open, 20, localAddress))
  }
  for (let n = 0; n < order.connections; n += 1) open(`127.9.${order.attack}.${1 + (n % addresses)}`)
  process.send?.('started')
})
