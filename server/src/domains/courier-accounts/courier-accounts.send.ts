import { CourierError } from '../../integrations/measoft/measoft.error.ts'
import type { PostXml } from '../../integrations/measoft/measoft.ts'
import { OutgoingError } from '../../platform/outgoing-http/outgoing.error.ts'
import type { Outgoing } from '../../platform/outgoing-http/outgoing.ts'

/** Milliseconds and bytes that one answer of the courier may take. */
const timeout = 45_000
const maxBytes = 8 * 1024 * 1024

/** How requests to the courier leave the house. */
export const courierPost =
  (outgoing: Outgoing, signal: AbortSignal): PostXml =>
  async (url, xml) => {
    try {
      const headers = { 'content-type': 'text/xml; charset=utf-8' }
      const answer = await outgoing.request({
        method: 'POST',
        url,
        headers,
        body: xml,
        timeout,
        maxBytes,
        signal,
      })
      if (answer.status < 200 || answer.status > 299)
        throw new CourierError(`The courier answered ${answer.status}.`)
      return answer.text
    } catch (error) {
      throw error instanceof OutgoingError ? new CourierError(error.message) : error
    }
  }
