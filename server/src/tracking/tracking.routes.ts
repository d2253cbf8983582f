import { maxHistoryShown } from '@karvon/contract/kit/limits.ts'
import { trackParcel } from '@karvon/contract/tracking/tracking.ts'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../kit/address-key.ts'
import type { Deps } from '../kit/deps.ts'
import { AppError } from '../kit/errors.ts'
import { RawJson } from '../kit/raw-json.ts'
import { serve } from '../kit/serve.ts'
import { forgetTries, giveTryBack, takeTry } from '../kit/tries.ts'

/** Failures that cost nothing yet: ten thousand digits are quickly tried otherwise. */
const free = { address: 20, order: 10 } as const

/** Where a parcel is, for whoever holds its order number and the end of its receiver's phone number. */
export function trackingRoutes(app: FastifyInstance, { pool }: Deps): void {
  serve(app, trackParcel, async ({ params, query, request }) => {
    const { orderno } = params
    const keys = {
      address: `track-address:${addressKey(request.ip)}`,
      order: `track-order:${orderno.toLowerCase()}`,
    }
    await takeTry(pool, keys.address, free.address)
    await takeTry(pool, keys.order, free.order)
    const { rows } = await pool.query<{ row: string }>({
      name: 'track',
      text: trackText,
      values: [orderno, query.phone],
    })
    if (rows[0] === undefined)
      throw new AppError('not_found', 'No parcel has this order number and these digits.')
    await forgetTries(pool, keys.order)
    await giveTryBack(pool, keys.address, free.address)
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
