import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/**
 * Inline styles are allowed, because widgets compute positions. Inline scripts are not. Trusted Types are required and
 * none can be created, so no text can become a script or markup.
 */
const buildPolicy = (api: string | null) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...(api === null ? [] : [api])].join(' '),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** The origin of the API that the web app in this folder calls; null when it is the same origin. */
function readApiOrigin(webFolder: string): string | null {
  const path = join(webFolder, '.api-host')
  const host = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  return host === '' ? null : new URL(host).origin
}

/**
 * No HSTS: the default address is plain http on this machine, and a TLS proxy sets its own header.
 * No Cross-Origin-Opener-Policy and no Origin-Agent-Cluster: on plain http browsers ignore both and log an error.
 */
const headers = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
} as const

/** The headers of an answer that no hook reaches, because Node or the router refuses the request. It is never a page. */
export const refusalHeaders = {
  ...headers,
  'content-security-policy': buildPolicy(null),
  'cache-control': 'no-store',
} as const

/** Adds security headers to every answer, and keeps answers of the API out of caches. */
export function registerSecurityHeaders(app: FastifyInstance, webFolder: string): void {
  const pageHeaders = { ...headers, 'content-security-policy': buildPolicy(readApiOrigin(webFolder)) }
  const apiHeaders = { ...pageHeaders, 'cache-control': 'no-store' }
  app.addHook('onRequest', (request, reply, done) => {
    // The router also matches percent-encoded paths, so both the route and the decoded path count.
    const isApi = isApiPath(request.routeOptions.url ?? '') || isApiPath(decodePath(request.url))
    void reply.headers(isApi ? apiHeaders : pageHeaders).header('x-request-id', request.id)
    done()
  })
}

/** The path as the router reads it; unchanged when its percent encoding is invalid. */
export function decodePath(url: string): string {
  try {
    return decodeURIComponent(url.split('?')[0] ?? '')
  } catch {
    return url
  }
}

/** Whether a path belongs to the API and not to a page of the web app; `/parcels` is a page. */
export const isApiPath = (url: string): boolean => /^\/(api|parcel)(\/|\?|$)/.test(url)
