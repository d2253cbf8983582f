import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Styles may stand inline, since the widgets compute positions; scripts may not. No text becomes a script or
 * markup either: nobody may make a trusted type.
 */
const policyFor = (api: string | null) =>
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

/** The origin of the API that the web in this folder was built to call; null where it is its own. */
function apiOrigin(webFolder: string): string | null {
  const path = join(webFolder, '.api-host')
  const host = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  return host === '' ? null : new URL(host).origin
}

/**
 * No HSTS: the usual address is plain http on this machine, and a proxy that speaks TLS sets its own.
 * Neither Cross-Origin-Opener-Policy nor Origin-Agent-Cluster: on plain http in a network browsers ignore
 * both, with an error on the console.
 */
const headers = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
} as const

/** Headers of every answer: what keeps scripts, frames and guessed types out, and calls out of caches. */
export function registerSecurity(app: FastifyInstance, webFolder: string): void {
  const policy = policyFor(apiOrigin(webFolder))
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('content-security-policy', policy).header('x-request-id', request.id)
    // The router matches a path that is written otherwise, in percent signs: what it matched counts.
    if (isApi(request.routeOptions.url ?? '') || isApi(decoded(request.url)))
      void reply.header('cache-control', 'no-store')
    if (hostsOf(request.raw.rawHeaders) > 1)
      throw new AppError('malformed', 'The request names more than one host.')
    done()
  })
}

/** An address as the router reads it; as it is where its percent signs mean nothing. */
export function decoded(url: string): string {
  try {
    return decodeURIComponent(url.split('?')[0] ?? '')
  } catch {
    return url
  }
}

const hostsOf = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length

/** Calls, as opposed to the web's pages; `/parcels` is a page. */
export const isApi = (url: string): boolean => /^\/(api|parcel)(\/|\?|$)/.test(url)
