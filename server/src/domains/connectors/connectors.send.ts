import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { NetworkError } from '../../integrations/cpa-network/cpa-network.error.ts'
import type { Send } from '../../integrations/cpa-network/cpa-network.ts'
import { OutgoingError } from '../../platform/outgoing-http/outgoing.error.ts'
import type { Outgoing } from '../../platform/outgoing-http/outgoing.ts'

/** Limits of one answer of a network, in milliseconds and bytes. A description may have another timeout. */
const defaultTimeout = 30_000
const maxBytes = 8 * 1024 * 1024

/** Creates the function that sends a request to a network. Throws {@link NetworkError}. */
export const createNetworkSend =
  (
    outgoing: Outgoing,
    { limits: { timeout_ms: timeout = defaultTimeout } = {} }: Pick<ConnectorDescription, 'limits'>,
    signal: AbortSignal,
  ): Send =>
  async (request) => {
    try {
      return await outgoing.request({ ...request, timeout, maxBytes, signal })
    } catch (error) {
      if (error instanceof OutgoingError)
        throw new NetworkError('failed', error.reason, { isTimeout: error.kind === 'timeout' })
      throw error
    }
  }
