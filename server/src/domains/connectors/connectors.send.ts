import { NetworkError, type Send } from '../../integrations/cpa-network/cpa-network.ts'
import { OutgoingError } from '../../platform/outgoing-http/outgoing.error.ts'
import type { Outgoing } from '../../platform/outgoing-http/outgoing.ts'

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
