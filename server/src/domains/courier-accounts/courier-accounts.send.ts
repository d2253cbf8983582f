import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { CourierError, CourierTimeout } from '../../integrations/measoft/measoft.error.ts'
import type { PostXml } from '../../integrations/measoft/measoft.ts'
import { OutgoingError } from '../../platform/outgoing-http/outgoing.error.ts'
import type { Outgoing } from '../../platform/outgoing-http/outgoing.ts'

/** Limits of one answer of the courier, in milliseconds and bytes. */
const timeout = 45_000
const maxBytes = 8 * 1024 * 1024

/** Creates the function that posts XML to the courier. Throws {@link CourierError}. */
export const createCourierPost =
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
        throw new CourierError(describeSync('courier_status', { status: answer.status }))
      return answer.text
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      throw error.kind === 'timeout' ? new CourierTimeout(error.reason) : new CourierError(error.reason)
    }
  }
