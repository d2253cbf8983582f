import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { countWaitingCallers } from '../database/pool.ts'
import type { ConnectionControl } from '../http/connections.ts'
import { AppError } from '../http/errors.ts'
import { addressKey } from './address-key.ts'
import { admitOnConnection, refuseAddress } from './admission.connections.ts'
import { Admission } from './admission.ts'
import { createDatabaseLimit } from './database-limit.ts'
import { maxQueryParameters, maxRefusalsPerAddress, maxRequestUrlLength } from './limits.ts'
import { RateLimiter } from './rate-limiter.ts'

declare module 'fastify' {
  interface FastifyInstance {
    countRequestsInProgress: Admission['count']
    admitOnConnection: (request: FastifyRequest, reply: FastifyReply) => boolean
  }
}

/**
 * Admission control (load shedding): refuses a request before any work, with 503 when the process or its database is
 * busy, and with 429 when one address or one person has too many requests. Each class of requests has its own limit.
 * Also refuses a URL that is too long (414) or has too many parameters (400).
 */
export function registerAdmissionControl(
  app: FastifyInstance,
  pool: pg.Pool,
  connections: ConnectionControl,
): void {
  const databaseLimit = createDatabaseLimit(pool)
  const admission = new Admission(databaseLimit)
  const refusalsByAddress = new RateLimiter(maxRefusalsPerAddress)

  app.decorate('countRequestsInProgress', () => admission.count())
  app.decorate('isDatabaseBusy', () => countWaitingCallers(pool) > 0)
  app.decorate('admitOnConnection', (request, reply) => admitOnConnection(connections, request, reply))
  app.decorateRequest('admissionSlot', null)

  app.addHook('onRequest', (request, reply, done) => {
    if (!app.admitOnConnection(request, reply)) return
    refuseLongUrl(request.raw.url ?? '')
    try {
      admission.begin(request)
    } catch (error) {
      // A refusal costs as much as an answer, so too many refusals block the address.
      if (refusalsByAddress.consume(addressKey(request.ip)) > 0)
        return refuseAddress(connections, { request, reply, reason: 'refusals_of_address' })
      throw error
    }
    done()
  })
  // After the guard has set the identity, and before the body is read.
  // oxlint-disable-next-line max-params -- the shape of the hook is Fastify's
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    admission.assignToPerson(request)
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    admission.endBody(request)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    admission.end(request)
    done()
  })
  app.addHook('onError', async (_request, _reply, error) => {
    if (error.message.startsWith('timeout exceeded when trying to connect')) databaseLimit.reportTimeout()
  })
}

function refuseLongUrl(url: string): void {
  if (url.length > maxRequestUrlLength) throw new AppError('address_too_long', { max: maxRequestUrlLength })
  let parameters = 0
  for (let at = url.indexOf('?'); at !== -1; at = url.indexOf('&', at + 1)) {
    parameters += 1
    if (parameters > maxQueryParameters)
      throw new AppError('too_many_parameters', { max: maxQueryParameters })
  }
}
