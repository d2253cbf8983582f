import type { Generated } from 'kysely'
import type { Id, MaybeTime, SetTime, Time } from './tables.columns.ts'

export interface ResetRequestsTable {
  id: Id
  email: string
  created_at: SetTime
}

export interface ResetMailsTable {
  id: Id
  user_id: number
  status: Generated<'queued' | 'sent' | 'refused'>
  attempts: Generated<number>
  next_at: SetTime
  leased_until: MaybeTime
  unsure: Generated<boolean>
  last_error: string | null
  sent_at: MaybeTime
  created_at: SetTime
}

export interface ResetLinksTable {
  token_hash: Buffer
  user_id: number
  expires_at: Time
}

/** What people who are not signed in ask for (migration 0015). */
export interface AccountTables {
  reset_requests: ResetRequestsTable
  reset_mails: ResetMailsTable
  reset_links: ResetLinksTable
}
