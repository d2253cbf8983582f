import type { Guard } from '@karvon/contract/lib/call.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import type { SecurityLog } from '../security/security-log.ts'

/** Who is calling. `admin` is true for the role code `admin` alone. */
export interface Identity {
  userId: number
  sessionId: number
  roleId: number
  roleCode: string
  admin: boolean
  /** This installation lets this person work only with a second factor. */
  secondFactorRequired: boolean
  secondFactor: boolean
  username: string
  name: string
}

/** Finds the person behind a bearer token; null when the token is unknown, expired or its owner inactive. */
export type Identify = (token: string) => Promise<Identity | null>

declare module 'fastify' {
  interface FastifyInstance {
    identify: Identify
    securityLog: SecurityLog
  }
  interface FastifyRequest {
    identity: Identity | null
  }
}

/**
 * The hook that lets a call's guard pass, before any body is read.
 * Errors: 401 `unauthenticated` without a valid token, 403 `forbidden` for who is not an admin, 403
 * `second_factor_setup_required` for who must set up a second factor, unless the call is `beforeSecondFactor`.
 */
export function guardHook(guard: Exclude<Guard, 'public'>, beforeSecondFactor = false) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = bearer(request.headers.authorization)
    const identity = token === null ? null : await request.server.identify(token)
    if (identity === null) {
      void reply.header('www-authenticate', 'Bearer')
      throw new AppError('unauthenticated', 'Sign in to go on.')
    }
    if (guard === 'admin' && !identity.admin) {
      const { method, routeOptions } = request
      request.server.securityLog.write('forbidden', request.ip, {
        user_id: identity.userId,
        call: `${method} ${routeOptions.url ?? ''}`,
      })
      throw new AppError('forbidden', 'Only an administrator may do this.')
    }
    if (identity.secondFactorRequired && !identity.secondFactor && !beforeSecondFactor) {
      throw new AppError(
        'second_factor_setup_required',
        'Administrators need a second factor here. Set it up in your profile first.',
      )
    }
    request.identity = identity
  }
}

/** Who is calling; a programming error on a public call. */
export function identityOf(request: FastifyRequest): Identity {
  if (request.identity === null) throw new Error(`${request.url} is public: it has no identity`)
  return request.identity
}

function bearer(header: string | undefined): string | null {
  const [, token] = /^bearer +([\w.~+/-]{1,512}=*) *$/i.exec(header ?? '') ?? []
  return token ?? null
}
