import { connect, type Socket } from 'node:net'
import { attacks, type FloodTask } from './resources.attacks.ts'

/** Addresses of one attacker. */
const addressCount = 4

// The program of an attacker process. It replaces each closed connection until it is killed or its parent ends.
process.once('disconnect', () => process.exit())
process.once('message', (task: FloodTask) => {
  const attack = attacks[task.attackIndex]
  if (attack === undefined) throw new Error(`There is no attack ${task.attackIndex}`)
  const { hostname, port } = new URL(task.url)
  const openConnection = (localAddress: string) => {
    const socket: Socket = connect({ host: hostname, port: Number(port), localAddress })
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.once('connect', () => attack.start(socket, task.token))
    socket.once('close', () => setTimeout(openConnection, 20, localAddress))
  }
  for (let index = 0; index < task.connections; index += 1)
    openConnection(`127.9.${task.attackIndex}.${1 + (index % addressCount)}`)
  process.send?.('started')
})
