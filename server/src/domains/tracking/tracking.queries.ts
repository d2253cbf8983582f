import { maxHistoryShown } from '@karvon/contract/lib/limits.ts'
import type pg from 'pg'
import { newestEventFirst } from '../parcels/parcels.event-rank.ts'

/** SQL: the last four digits of a phone number of the parcel are `$2`. Its text may have several numbers, such as `+998…, +998…`. */
const hasDigitsSql = `(right(regexp_replace(p.phone, '\\D', '', 'g'), 4) = $2 or exists (
    select from regexp_split_to_table(p.phone, '[,;/|\\n]') part where right(regexp_replace(part, '\\D', '', 'g'), 4) = $2))`

/** One form for all spellings of an order number by which {@link findTrackedParcel} finds the same parcel. */
export const foldOrderno = (orderno: string): string => orderno.toLowerCase().toUpperCase().toLowerCase()

/**
 * Phone keyboards capitalise the first letter, so the number is also searched in upper and in lower case. Two shops may use the same
 * order number. Of the parcels with these digits and the typed letters, the one with the newest event is shown.
 */
const trackSql = `select json_build_object('orderno', p.orderno,
    'status', json_build_object('code', p.status_code, 'title', p.status_title, 'eventtime', p.eventtime),
    'history', (select coalesce(json_agg(json_build_object('code', e.code, 'title', e.title, 'eventtime', e.eventtime)
      order by ${newestEventFirst}), '[]') from (select * from parcel_events h where h.parcel_id = p.id
        order by ${newestEventFirst} limit ${maxHistoryShown}) e))::text as row
  from parcels p
  where p.orderno = any(array[$1::text, $3, $4]) and ${hasDigitsSql}
  order by p.orderno = $1 desc, p.eventtime desc limit 1`

/** Finds a parcel by its order number and the last digits of the receiver's phone number, as JSON text. */
export async function findTrackedParcel(
  pool: pg.Pool,
  orderno: string,
  digits: string,
): Promise<string | null> {
  // Which letters upper() and lower() of the database change depends on its locale, so foldOrderno() could not know them.
  const values = [orderno, digits, orderno.toUpperCase(), orderno.toLowerCase()]
  const { rows } = await pool.query<{ row: string }>({ name: 'track', text: trackSql, values })
  return rows[0]?.row ?? null
}
