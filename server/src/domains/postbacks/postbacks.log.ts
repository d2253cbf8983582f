import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { shownOf, type Carried } from './postbacks.carried.ts'
import type { Source } from './postbacks.take.ts'
import type { Verdict } from './postbacks.verdict.ts'

/** Writes one hit and what became of it into the log; without a source where its key is nobody's. */
export async function keepHit(
  db: Db,
  request: Pick<FastifyRequest, 'method' | 'ip'>,
  source: (Source & { received_at: string }) | null,
  carried: Carried,
  { outcome, reason, detail, lead_id, external_id, word }: Verdict,
): Promise<void> {
  await db
    .insertInto('postbacks')
    .values({
      ...(source !== null && { at: source.received_at }),
      source_id: source?.id ?? null,
      method: request.method,
      address: request.ip,
      params: JSON.stringify(shownOf(carried, source?.postback_key ?? null)),
      outcome,
      reason,
      detail,
      lead_id,
      external_id,
      word,
    })
    .execute()
}
