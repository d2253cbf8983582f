import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Refuses a request with another number of hosts than one (400), or with an unknown expectation (417). Node would answer
 * them without the limits of requests and without the headers of every answer.
 */
export function registerRequestHeadChecks(app: FastifyInstance): void {
  const unknownExpectations = new WeakSet<IncomingMessage>()
  // Node answers the expectation `100-continue` itself, and no other one exists.
  app.server.on('checkExpectation', (request, response) => {
    unknownExpectations.add(request)
    app.server.emit('request', request, response)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    if (unknownExpectations.has(raw)) throw new AppError('unknown_expectation')
    const hosts = countHosts(raw.rawHeaders)
    if (hosts > 1) throw new AppError('several_hosts')
    if (hosts === 0 && raw.httpVersion === '1.1') throw new AppError('request_unreadable')
    done()
  })
}

/** The path and query of a request. Its URL may have a scheme and a host in front (RFC 9112, section 3.2.2). */
export function getPathAndQuery({ url = '/' }: IncomingMessage): string {
  const absoluteUrl = /^https?:/i.test(url) ? URL.parse(url) : null
  return absoluteUrl === null ? url : absoluteUrl.pathname + absoluteUrl.search
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts
}
