import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Release } from './concurrency-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admissionSlot: AdmissionSlot | null
  }
}

/** One request's slot in the limit of its class. */
interface AdmissionSlot {
  release: Release
}

const slotsBySocket = new WeakMap<Socket, Set<AdmissionSlot>>()

/**
 * Holds a slot until the answer is sent or the connection closes: a pipelined request may never get an answer.
 */
export function holdSlot(request: FastifyRequest, release: Release): void {
  const { socket } = request.raw
  if (socket.destroyed) return release()
  const slot = { release }
  request.admissionSlot = slot
  getSlotsOf(socket).add(slot)
}

function getSlotsOf(socket: Socket): Set<AdmissionSlot> {
  const storedSlots = slotsBySocket.get(socket)
  if (storedSlots !== undefined) return storedSlots
  const slots = new Set<AdmissionSlot>()
  slotsBySocket.set(socket, slots)
  socket.once('close', () => {
    for (const { release } of slots) release()
    slots.clear()
  })
  return slots
}

/** Null when the client disconnected during the guard, which freed the slot. */
export function getSlot({ admissionSlot: slot, raw: { socket } }: FastifyRequest): AdmissionSlot | null {
  return slot !== null && slotsBySocket.get(socket)?.has(slot) === true ? slot : null
}

export function releaseSlot({ admissionSlot: slot, raw: { socket } }: FastifyRequest): void {
  if (slot === null) return
  slotsBySocket.get(socket)?.delete(slot)
  slot.release()
}
