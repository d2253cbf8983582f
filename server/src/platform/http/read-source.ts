import type { Call } from '@karvon/contract/lib/call.ts'
import type { FastifyReply } from 'fastify'
import type { ReadReplica } from '../database/replica.ts'
import { withReplica } from '../database/replica.route.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Without it the primary answers all calls. */
    readReplica?: ReadReplica
  }
}

/**
 * Runs the handler of a call of a person: a GET on the read replica if that is recent enough for this person, else on the
 * primary. A GET whose replica fails runs again on the primary. Errors: those of `work` and of the primary.
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
  // Changes by an admin may concern the rights of others.
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
