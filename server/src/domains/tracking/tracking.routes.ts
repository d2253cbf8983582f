import { hash } from 'node:crypto'
import { maxHistoryShown } from '@karvon/contract/lib/limits.ts'
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
    const { orderno } = params
    const network = addressKey(request.ip)
    const order = hash('sha256', orderno.toLowerCase(), 'base64url')
    const keys = {
      network: `track-address:${network}`,
      orderFromNetwork: `track-order:${order}@${network}`,
      order: `track-order:${order}`,
    }
    await countAttempt(pool, keys.network, freeFailures.network)
    await countAttempt(pool, keys.orderFromNetwork, freeFailures.orderFromNetwork, guessLimits)
    await countAttempt(pool, keys.order, freeFailures.order, crowdLimits)
    const { rows } = await pool.query<{ row: string }>({
      name: 'track',
      text: trackText,
      values: [orderno, query.phone],
    })
    if (rows[0] === undefined)
      throw new AppError('not_found', 'No parcel has this order number and these digits.')
    // Only this attempt is refunded: a success must not clear earlier guesses.
    await refundAttempt(pool, keys.network, freeFailures.network)
    await refundAttempt(pool, keys.orderFromNetwork, freeFailures.orderFromNetwork)
    await refundAttempt(pool, keys.order, freeFailures.order)
    return new RawJson(rows[0].row)
  })
}

/** Two shops may use the same order number. Of the parcels with these digits, the one with the newest event is shown. */
const trackText = `select json_build_object('orderno', p.orderno,
    'status', json_build_object('code', p.status_code, 'title', p.status_title, 'eventtime', p.eventtime),
    'history', (select coalesce(json_agg(json_build_object('code', e.code, 'title', e.title, 'eventtime', e.eventtime)
      order by e.eventtime desc, e.id desc), '[]') from (select * from parcel_events h where h.parcel_id = p.id
        order by h.eventtime desc, h.id desc limit ${maxHistoryShown}) e))::text as row
  from parcels p
  where p.orderno = $1 and right(regexp_replace(p.phone, '\\D', '', 'g'), 4) = $2
  order by p.eventtime desc limit 1`
