import { exploreCall, type ExploreQuery } from '@karvon/contract/explore/explore.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { readOneBatch } from '../../platform/exports/exports.batches.ts'
import { sendSheet } from '../../platform/exports/exports.send.ts'
import type { Identity, Viewer } from '../../platform/http/guard.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { runQuestion } from './explore.limit.ts'
import { answerQuestion } from './explore.ts'
import { buildExploreSheet } from './explore.sheet.ts'

/** /api/admin/explore is over all leads, /api/user/explore over own leads, also for an admin. */
export function exploreRoutes(app: FastifyInstance, { db }: Deps): void {
  const answer = async (
    { query, person, reply }: { query: ExploreQuery; person: Identity; reply: FastifyReply },
    viewer: Viewer | null,
  ): Promise<RawJson | FastifyReply> => {
    const exploreAnswer = await runQuestion(person.userId, reply.request, () =>
      answerQuestion(db, query, viewer),
    )
    // An answer has up to 40,000 items, which the serializer of a schema would check one by one.
    if (query.format === undefined) return new RawJson(JSON.stringify(exploreAnswer))
    const { headers, rows } = buildExploreSheet(exploreAnswer)
    const sheet = { fileStem: 'explore', sheet: 'explore', headers, rows: readOneBatch(rows) }
    return sendSheet(reply, sheet, { format: query.format })
  }
  serve(app, exploreCall('admin'), (call) => answer(call, null))
  serve(app, exploreCall('user'), (call) => answer(call, call.person))
}
