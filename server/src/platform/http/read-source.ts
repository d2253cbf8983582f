import type { Call } from '@karvon/contract/lib/call.ts'
import type { FastifyReply } from 'fastify'
import type { ReadReplica } from '../database/replica.ts'
import { withReplica } from '../database/replica.route.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined: the primary answers all calls. */
    readReplica?: ReadReplica
  }
}

/**
 * Runs the handler of a call: a GET of a person on the read replica if the replica is recent enough for this person,
 * else on the primary. If the replica fails, the GET runs again on the primary. Errors: those of `work` and of the
 * primary.
 */
export async function runOnReadSource<T>(
  reply: FastifyReply,
  call: Call,
  work: () => Promise<T>,
): Promise<T> {
  const { server, identity } = reply.request
  const { readReplica: replica } = server
  if (replica === undefined || identity === null) return work()
  const isRead = call.method === 'GET' && call.writes !== true
  if (isRead && (await replica.canServe(identity.userId))) {
    try {
      return await withReplica(work)
    } catch (error) {
      if (reply.sent || !replica.isFailure(error)) throw error
      replica.recordFailure(error, call.id)
    }
  }
  // A change by an admin may affect the rights of others.
  const storePosition = () => replica.storePosition(identity.userId, !isRead && identity.isAdmin)
  try {
    const result = await work()
    await storePosition()
    return result
  } catch (error) {
    // A failed call may have changed something.
    await storePosition().catch(() => {})
    throw error
  }
}
