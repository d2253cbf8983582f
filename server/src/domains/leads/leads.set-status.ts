import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { LeadStatusChange } from '@karvon/contract/leads/leads.ts'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { invalid } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { overrideLeadStatus, type OverriddenLead } from './leads.override.queries.ts'
import { isActiveStatus } from './leads.mapping.queries.ts'
import { joinTransaction } from '../../platform/database/transaction.ts'

/**
 * Sets the status of leads for an admin and writes the audit log; returns how many leads changed.
 * Errors: 422 if the status does not exist or is inactive.
 */
export function setLeadStatusAsAdmin(db: Db, change: LeadStatusChange, person: Identity): Promise<number> {
  const { ids, status_id, comment } = change
  const reason = comment?.trim() || undefined
  return joinTransaction(db, async (trx) => {
    const isActive = await isActiveStatus(trx, status_id)
    if (isActive === undefined)
      throw invalid([fieldError('status_id', 'reference_missing', { label: 'Status' })])
    if (!isActive) throw invalid([fieldError('status_id', 'status_inactive')])
    const changedLeads = await overrideLeadStatus(
      trx,
      ids.map((id) => ({ id, status_id, at: null })),
      { origin: 'admin', ...(reason !== undefined && { reason }) },
    )
    if (changedLeads.length > 0) {
      const before = { leads: groupByOldStatus(changedLeads) }
      await audit(trx, {
        person,
        action: 'update',
        resource: 'leads',
        before,
        after: {
          leads: changedLeads.map(({ id }) => id),
          status_id,
          comment: reason ?? null,
        },
      })
    }
    return changedLeads.length
  })
}

/** The ids, grouped by the old status. One call has a limited number of ids, so the audit entry is small. */
function groupByOldStatus(leads: readonly OverriddenLead[]) {
  const groups = Map.groupBy(leads, ({ old_status_id }) => old_status_id)
  return [...groups].map(([status_id, group]) => ({ status_id, ids: group.map(({ id }) => id) }))
}
