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
  attemptRetentionSeconds,
  countAttempts,
  refundAttempt,
  type AttemptKey,
} from '../../platform/limits/attempt-limiter.ts'
import { findTrackedParcel, foldOrderno } from './tracking.queries.ts'

/**
 * Failed attempts without a wait: from one network for all orders, from one network for one order, and from all networks
 * for one order. There are only ten thousand combinations of digits, so a thousand guesses would succeed too often.
 */
const freeFailures = { network: 20, orderFromNetwork: 5, order: 50 } as const
/** A guessing network waits for hours. Guesses from many networks delay the receiver for minutes only. */
const guessLimits = { maxWaitSeconds: attemptRetentionSeconds, forgetAfterSeconds: attemptRetentionSeconds }
const crowdLimits = { maxWaitSeconds: 300, forgetAfterSeconds: attemptRetentionSeconds }

/** The public call that tracks a parcel by its order number and the last digits of the receiver's phone number. */
export function trackingRoutes(app: FastifyInstance, { pool }: Deps): void {
  serve(app, trackParcel, async ({ params, query, request }) => {
    const orderno = trimText(params.orderno)
    const network = addressKey(request.ip)
    const order = hash('sha256', foldOrderno(orderno), 'base64url')
    const attempts: AttemptKey[] = [
      { key: `track-address:${network}`, maxFreeFailures: freeFailures.network },
      {
        key: `track-order:${order}@${network}`,
        maxFreeFailures: freeFailures.orderFromNetwork,
        ...guessLimits,
      },
      { key: `track-order:${order}`, maxFreeFailures: freeFailures.order, ...crowdLimits },
    ]
    await countAttempts(pool, attempts)
    const parcel = await findTrackedParcel(pool, orderno, query.phone)
    if (parcel === null) throw new AppError('parcel_not_tracked')
    // Only this attempt is refunded: a success must not clear earlier guesses.
    for (const { key } of attempts) await refundAttempt(pool, key)
    return new RawJson(parcel)
  })
}
