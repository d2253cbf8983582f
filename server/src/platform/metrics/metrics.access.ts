import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../http/errors.ts'

interface MetricsSettings {
  port: number | undefined
  token: string | undefined
}

const loopback = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip'] as const

/**
 * Checks access to the metrics. A configured token is required. Without one, the separate port is open to everybody;
 * without a separate port, only direct requests from this machine are allowed. Errors: 401, 403.
 */
export function refuseMetrics(
  { port, token }: MetricsSettings,
  request: IncomingMessage,
  isOwnPort: boolean,
): void {
  if (token !== undefined) {
    const [, sentToken = ''] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    if (timingSafeEqual(digest(sentToken), digest(token))) return
    throw new AppError('metrics_token_required')
  }
  if (isOwnPort) return
  const isDirect = forwardingHeaders.every((name) => request.headers[name] === undefined)
  if (port === undefined && isDirect && loopback.test(request.socket.remoteAddress ?? '')) return
  throw new AppError('metrics_forbidden')
}

const digest = (text: string) => hash('sha256', text, 'buffer')
