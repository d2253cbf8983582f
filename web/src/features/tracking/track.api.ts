import { trackParcel, type TrackedParcel } from '@karvon/contract/tracking/tracking.ts'
import { HttpError, send } from '../../lib/http.ts'
import { trackTexts as texts } from './tracking.texts.ts'

export const track = (orderno: string, phone: string): Promise<TrackedParcel> =>
  send(trackParcel, { params: { orderno }, query: { phone } })

/** The message of a failure, for a receiver. */
export function getTrackError(error: unknown): string {
  if (!(error instanceof HttpError)) return texts.failed
  if (error.status === 404 || error.status === 422) return texts.notFound
  if (error.status !== 429) return texts.failed
  const seconds = Number(error.response?.headers.get('retry-after') ?? Number.NaN)
  return texts.tooMany({ minutes: Math.max(1, Math.ceil((Number.isNaN(seconds) ? 60 : seconds) / 60)) })
}
