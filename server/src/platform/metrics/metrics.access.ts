import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../http/errors.ts'

interface MetricsSettings {
  port: number | undefined
  token: string | undefined
}

const loopback = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/
const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip'] as const

/**
 * Refuses who may not read the metrics: without the token where one is set; where neither a token nor a port of its own
 * is set, who does not ask from this machine directly. Errors: 401, 403.
 */
export function refuseMetrics(
  { port, token }: MetricsSettings,
  request: IncomingMessage,
  ownPort: boolean,
): void {
  if (token !== undefined) {
    const [, given = ''] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    if (timingSafeEqual(digest(given), digest(token))) return
    throw new AppError('unauthenticated', 'The metrics want the token of KARVON_METRICS_TOKEN.')
  }
  if (ownPort) return
  const direct = forwarding.every((name) => request.headers[name] === undefined)
  if (port === undefined && direct && loopback.test(request.socket.remoteAddress ?? '')) return
  throw new AppError('forbidden', 'The metrics are for this machine alone.')
}

const digest = (text: string) => hash('sha256', text, 'buffer')
