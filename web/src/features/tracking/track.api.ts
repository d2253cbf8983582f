import { trackParcel, type Tracked } from '@karvon/contract/tracking/tracking.ts'
import { HttpError, send } from '../../lib/http.ts'
import { trackTexts as texts } from './tracking.texts.ts'

export const track = (orderno: string, phone: string): Promise<Tracked> =>
  send(trackParcel, { params: { orderno }, query: { phone } })

/** What a receiver is told of a failure. */
export function trackFailure(error: unknown): string {
  if (!(error instanceof HttpError)) return texts.failed
  if (error.status === 404 || error.status === 422) return texts.notFound
  if (error.status !== 429) return texts.failed
  const seconds = Number(error.response?.headers.get('retry-after') ?? Number.NaN)
  return texts.tooMany(Math.max(1, Math.ceil((Number.isNaN(seconds) ? 60 : seconds) / 60)))
}
