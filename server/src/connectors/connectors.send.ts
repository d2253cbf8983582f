import { NetworkError, type Send } from '../clients/cpa-network.ts'
import { OutgoingError } from '../clients/outgoing.error.ts'
import type { Outgoing } from '../clients/outgoing.ts'

/** Milliseconds and bytes that one answer of a network may take. */
const timeout = 30_000
const maxBytes = 8 * 1024 * 1024

/** How requests to networks leave the house. */
export const networkSend =
  (outgoing: Outgoing, signal: AbortSignal): Send =>
  async (request) => {
    try {
      return await outgoing.request({ ...request, timeout, maxBytes, signal })
    } catch (error) {
      if (error instanceof OutgoingError) throw new NetworkError('trouble', error.message)
      throw error
    }
  }
