import { hash } from 'node:crypto'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import { trackParcel } from '@karvon/contract/tracking/tracking.ts'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../../platform/limits/address-key.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import {
  refundAttempt,
  countAttempt,
  attemptRetentionSeconds,
} from '../../platform/limits/attempt-limiter.ts'
import { findTrackedParcel } from './tracking.queries.ts'

/**
 * Failed attempts without a wait: from one network for all orders, from one network for one order, and from all networks
 * for one order. There are only ten thousand combinations of digits, so a thousand guesses would succeed too often.
 */
const freeFailures = { network: 20, orderFromNetwork: 5, order: 50 } as const
/** A guessing network waits for hours. Guesses from many networks delay the receiver for minutes only. */
const guessLimits = { maxWaitSeconds: attemptRetentionSeconds, resetAfterSeconds: attemptRetentionSeconds }
const crowdLimits = { maxWaitSeconds: 300, resetAfterSeconds: attemptRetentionSeconds }

/** The public call that tracks a parcel by its order number and the last digits of the receiver's phone number. */
export function trackingRoutes(app: FastifyInstance, { pool }: Deps): void {
  serve(app, trackParcel, async ({ params, query, request }) => {
    const orderno = trimText(params.orderno)
    const network = addressKey(request.ip)
    const order = hash('sha256', orderno.toLowerCase(), 'base64url')
    const keys = {
      network: `track-address:${network}`,
      orderFromNetwork: `track-order:${order}@${network}`,
      order: `track-order:${order}`,
    }
    await countAttempt(pool, keys.network, { maxFreeFailures: freeFailures.network })
    await countAttempt(pool, keys.orderFromNetwork, {
      maxFreeFailures: freeFailures.orderFromNetwork,
      ...guessLimits,
    })
    await countAttempt(pool, keys.order, { maxFreeFailures: freeFailures.order, ...crowdLimits })
    const parcel = await findTrackedParcel(pool, orderno, query.phone)
    if (parcel === null) throw new AppError('parcel_not_tracked')
    // Only this attempt is refunded: a success must not clear earlier guesses.
    await refundAttempt(pool, keys.network, freeFailures.network)
    await refundAttempt(pool, keys.orderFromNetwork, freeFailures.orderFromNetwork)
    await refundAttempt(pool, keys.order, freeFailures.order)
    return new RawJson(parcel)
  })
}
