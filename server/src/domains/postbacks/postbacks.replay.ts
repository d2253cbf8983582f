import { isReplayable } from '@karvon/contract/postbacks/postbacks.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/database/pool.ts'
import { storeAnswerForRepeats } from '../../platform/http/idempotency.answers.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { inPostbackTransaction, processPostback } from './postbacks.process.ts'
import {
  findPostbackForUpdate,
  findPostbackSource,
  readPostback,
  updateReplayedPostback,
} from './postbacks.queries.ts'

/**
 * Processes a logged postback again as of its receipt, stores the new result in its row and returns the row.
 * Errors: 404; 409 if a replay cannot change the result, or if the source is deleted or inactive.
 */
export function replayLoggedPostback(
  db: Db,
  { defaultCurrency, id, person }: { defaultCurrency: string; id: number; person: Identity },
): Promise<RawJson> {
  return inPostbackTransaction(db, async (trx) => {
    const row = await findPostbackForUpdate(trx, id)
    if (row === undefined) throw notFound('postback')
    if (!isReplayable(row.reason)) throw new AppError('postback_stays_refused', { detail: row.detail ?? '' })
    const source = await findPostbackSource(trx, row.source_id)
    if (source === undefined) throw new AppError('postback_source_deleted')
    const request = { receivedAt: row.at, params: new Map(Object.entries(row.params)), isReplay: true }
    const { error: _, ...result } = await processPostback(trx, { defaultCurrency, source, request })
    const { outcome, reason, detail, lead_id } = result
    // An accepted postback stays accepted.
    if (outcome === 'refused' && row.outcome !== 'refused') throw new AppError('replay_refused', { detail })
    await updateReplayedPostback(trx, id, result)
    const before = { outcome: row.outcome, reason: row.reason, lead_id: row.lead_id }
    await audit(trx, {
      person,
      action: 'replay',
      resource: 'postbacks',
      rowId: id,
      before,
      after: { outcome, reason, lead_id },
    })
    return storeAnswerForRepeats(trx, new RawJson(await readPostback(trx, id)))
  })
}
