import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type { Quotas } from '../../config.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError } from '../../platform/http/errors.ts'

interface Usage {
  upload_count: number
  upload_bytes: number
  parcel_count: number
}

const megabyte = 1024 * 1024

/** What a person stores, by their one row of `person_usage`; null for an admin, who has no quota. */
async function usageOf(db: Db, userId: number): Promise<Usage | null> {
  const { rows } = await sql<Usage & { admin: boolean }>`
    select coalesce(p.upload_count, 0) as upload_count, coalesce(p.upload_bytes, 0) as upload_bytes,
      coalesce(p.parcel_count, 0) as parcel_count, r.code = ${adminCode} as admin
    from users u join roles r on r.id = u.role_id left join person_usage p on p.user_id = u.id
    where u.id = ${userId}`.execute(db)
  const [usage] = rows
  return usage === undefined || usage.admin ? null : usage
}

/**
 * To be called in the transaction that stored an upload, after it did: the person's row of usage is locked by then.
 * Errors: 422 `quota_exceeded`.
 */
export async function refuseUploadOverQuota(trx: Db, userId: number, quotas: Quotas): Promise<void> {
  const { uploads, uploadBytes } = quotas
  if (uploads === 0 && uploadBytes === 0) return
  const usage = await usageOf(trx, userId)
  if (usage === null) return
  if (uploads > 0 && usage.upload_count > uploads)
    throw overQuota(
      `You have ${shown(uploads)} stored uploads, as many as one person may have. Ask an admin to raise the limit, then send the file again.`,
    )
  if (uploadBytes > 0 && usage.upload_bytes > uploadBytes)
    throw overQuota(
      `With this file your stored uploads would take more than ${shown(uploadBytes / megabyte)} MB, the limit of one person. Ask an admin to raise the limit, then send the file again.`,
    )
}

/** How many parcels of order files a person may still store. */
export async function parcelRoom(db: Db, userId: number, { parcels }: Quotas): Promise<number> {
  const usage = parcels === 0 ? null : await usageOf(db, userId)
  return usage === null ? Infinity : parcels - usage.parcel_count
}

/** Errors: 422 `quota_exceeded`. */
export const parcelsOverQuota = ({ parcels }: Quotas): AppError =>
  overQuota(
    `With this file you would have more than ${shown(parcels)} parcels from order files, the limit of one person. Ask an admin to raise the limit, then send the file again.`,
  )

const overQuota = (detail: string) => new AppError('quota_exceeded', detail)

const shown = (count: number) => Math.floor(count).toLocaleString('en')
