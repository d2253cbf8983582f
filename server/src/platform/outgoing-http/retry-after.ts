/**
 * Parses a Retry-After header into whole seconds; null without one. The header is a number of seconds or a date (RFC 9110,
 * 10.2.3). A date is compared with the Date header of the same answer, because that has the clock of the other server.
 */
export function parseRetryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): number | null {
  const text = String(headers['retry-after'] ?? '').trim()
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text))
  // Date.parse takes a lone number, also a negative one, for a year or a month.
  const retryAt = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(retryAt)) return null
  const serverTime = Date.parse(String(headers.date ?? ''))
  return Math.max(0, Math.ceil((retryAt - (Number.isNaN(serverTime) ? Date.now() : serverTime)) / 1000))
}
