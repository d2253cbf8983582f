import { hash } from 'node:crypto'
import { maxHistoryShown } from '@karvon/contract/lib/limits.ts'
import { trackParcel } from '@karvon/contract/tracking/tracking.ts'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../../platform/limits/address-key.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { giveTryBack, takeTry, triesKept } from '../../platform/limits/tries.ts'

/**
 * Wrong digits that cost nothing yet: of anything from a network, of one order from a network, and of one order from
 * everywhere. A thousand guesses would find one of ten thousand digits too often.
 */
const free = { network: 20, orderHere: 5, order: 50 } as const
/** A network that guesses soon waits for hours. The receiver, at another one, is held back by a crowd alone, for minutes. */
const guessing = { longest: triesKept, forgottenAfter: triesKept }
const crowd = { longest: 300, forgottenAfter: triesKept }

/** Where a parcel is, for whoever holds its order number and the end of its receiver's phone number. */
export function trackingRoutes(app: FastifyInstance, { pool }: Deps): void {
  serve(app, trackParcel, async ({ params, query, request }) => {
    const { orderno } = params
    const network = addressKey(request.ip)
    const order = hash('sha256', orderno.toLowerCase(), 'base64url')
    const keys = {
      network: `track-address:${network}`,
      orderHere: `track-order:${order}@${network}`,
      order: `track-order:${order}`,
    }
    await takeTry(pool, keys.network, free.network)
    await takeTry(pool, keys.orderHere, free.orderHere, guessing)
    await takeTry(pool, keys.order, free.order, crowd)
    const { rows } = await pool.query<{ row: string }>({
      name: 'track',
      text: trackText,
      values: [orderno, query.phone],
    })
    if (rows[0] === undefined)
      throw new AppError('not_found', 'No parcel has this order number and these digits.')
    // This try alone: a success of one's own must not forgive guesses.
    await giveTryBack(pool, keys.network, free.network)
    await giveTryBack(pool, keys.orderHere, free.orderHere)
    await giveTryBack(pool, keys.order, free.order)
    return new RawJson(rows[0].row)
  })
}

/** Two shops may have the same order number: of those that the digits fit, the one that was heard of last. */
const trackText = `select json_build_object('orderno', p.orderno,
    'status', json_build_object('code', p.status_code, 'title', p.status_title, 'eventtime', p.eventtime),
    'history', (select coalesce(json_agg(json_build_object('code', e.code, 'title', e.title, 'eventtime', e.eventtime)
      order by e.eventtime desc, e.id desc), '[]') from (select * from parcel_events h where h.parcel_id = p.id
        order by h.eventtime desc, h.id desc limit ${maxHistoryShown}) e))::text as row
  from parcels p
  where p.orderno = $1 and right(regexp_replace(p.phone, '\\D', '', 'g'), 4) = $2
  order by p.eventtime desc limit 1`
