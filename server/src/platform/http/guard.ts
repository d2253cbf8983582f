import type { Guard } from '@karvon/contract/lib/call.ts'
import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import type { SecurityLog } from '../security/security-log.ts'

/** The person who calls. `isAdmin` is true only for the role code `admin`. */
export interface Identity {
  userId: number
  sessionId: number
  roleId: number
  roleCode: string
  isAdmin: boolean
  /** Whether this installation requires that this person has a second factor. */
  isSecondFactorRequired: boolean
  hasSecondFactor: boolean
  username: string
  name: string
}

/** The part of a person that decides which rows the person sees. */
export type Viewer = Pick<Identity, 'userId' | 'roleId'>

/** Finds the person of a bearer token; null when the token is unknown or expired, or the person is inactive. */
export type Identify = (token: string) => Promise<Identity | null>

declare module 'fastify' {
  interface FastifyInstance {
    identify: Identify
    securityLog: SecurityLog
  }
  interface FastifyRequest {
    identity: Identity | null
    /** When `identity` was found, in milliseconds of the monotonic clock. Undefined before that. */
    identifiedAt?: number
  }
}

/** Milliseconds after which a request that is still arriving, or still being answered, needs its session again. */
const identityLifetime = 1000

/**
 * Creates the hook that authenticates and authorizes a call before its body is read.
 * Errors: 401 `unauthenticated` without a valid token; 403 `forbidden` when the guard requires an admin; 403
 * `second_factor_setup_required` for a person who must set up a second factor first, unless `beforeSecondFactor`.
 */
export function createGuardHook(guard: Exclude<Guard, 'public'>, beforeSecondFactor = false) {
  return async (request: FastifyRequest): Promise<void> => {
    const identity = await identifyCaller(request)
    if (guard === 'admin') requireAdmin(request, identity)
    if (identity.isSecondFactorRequired && !identity.hasSecondFactor && !beforeSecondFactor) {
      throw new AppError('second_factor_setup_required')
    }
    request.identity = identity
  }
}

function requireAdmin(
  { method, routeOptions, server, ip }: FastifyRequest,
  { userId, isAdmin }: Identity,
): void {
  if (isAdmin) return
  server.securityLog.write('forbidden', ip, { user_id: userId, call: `${method} ${routeOptions.url ?? ''}` })
  throw new AppError('forbidden')
}

/** Errors: 401 `unauthenticated` without a valid token. */
async function identifyCaller(request: FastifyRequest): Promise<Identity> {
  const token = readBearerToken(request.headers.authorization)
  const identity = token === null ? null : await request.server.identify(token)
  if (identity === null) {
    throw new AppError('unauthenticated')
  }
  request.identifiedAt = performance.now()
  return identity
}

/**
 * Refuses a request whose session ended, or whose person was an admin and no longer is, while its body arrived, it waited, or its
 * answer was sent: all of these may take many minutes. Errors: 401 `unauthenticated`, 403 `forbidden`.
 */
export async function refuseEndedSession(request: FastifyRequest): Promise<void> {
  const { identifiedAt, identity: earlierIdentity } = request
  if (identifiedAt === undefined || performance.now() - identifiedAt < identityLifetime) return
  const identity = await identifyCaller(request)
  if (earlierIdentity?.isAdmin === true) requireAdmin(request, identity)
  request.identity = identity
}

/** The person who calls. Throws on a public call: that is a programming error. */
export function getIdentity(request: FastifyRequest): Identity {
  if (request.identity === null) throw new Error(`${request.url} is public: it has no identity`)
  return request.identity
}

function readBearerToken(header: string | undefined): string | null {
  const [, token] = /^bearer +([\w.~+/-]{1,512}=*) *$/i.exec(header ?? '') ?? []
  return token ?? null
}
