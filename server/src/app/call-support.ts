import type { FastifyInstance } from 'fastify'
import type { Deps } from '../platform/deps.ts'
import { registerErrorHandler } from '../platform/http/error-handler.ts'
import type { Identify } from '../platform/http/guard.ts'
import { SecurityLog } from '../platform/security/security-log.ts'

/** Adds to an app what every call needs. `identify` finds the person of a token. */
export function registerCallSupport(app: FastifyInstance, deps: Deps, identify: Identify): void {
  app.decorate('securityLog', new SecurityLog(deps.log))
  app.decorate('identify', identify)
  app.decorate('idempotencyStore', { db: deps.db, encryption: deps.encryption })
  app.decorateRequest('identity', null)
  registerErrorHandler(app)
}
