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

/** Reads a person's row of `person_usage`; null for an admin, who has no quota. */
async function readUsage(db: Db, userId: number): Promise<Usage | null> {
  const { rows } = await sql<Usage & { admin: boolean }>`
    select coalesce(p.upload_count, 0) as upload_count, coalesce(p.upload_bytes, 0) as upload_bytes,
      coalesce(p.parcel_count, 0) as parcel_count, r.code = ${adminCode} as admin
    from users u join roles r on r.id = u.role_id left join person_usage p on p.user_id = u.id
    where u.id = ${userId}`.execute(db)
  const [usage] = rows
  return usage === undefined || usage.admin ? null : usage
}

/**
 * Call this after the upload is inserted, in the same transaction. A trigger has locked the person's usage by then.
 * Errors: 422 `quota_exceeded`.
 */
export async function refuseUploadOverQuota(trx: Db, userId: number, quotas: Quotas): Promise<void> {
  const { uploads, uploadBytes } = quotas
  if (uploads === 0 && uploadBytes === 0) return
  const usage = await readUsage(trx, userId)
  if (usage === null) return
  if (uploads > 0 && usage.upload_count > uploads)
    throw quotaError(
      `You have ${formatCount(uploads)} stored uploads, as many as one person may have. Ask an admin to raise the limit, then send the file again.`,
    )
  if (uploadBytes > 0 && usage.upload_bytes > uploadBytes)
    throw quotaError(
      `With this file your stored uploads would take more than ${formatCount(uploadBytes / megabyte)} MB, the limit of one person. Ask an admin to raise the limit, then send the file again.`,
    )
}

/** The number of parcels of order files that a person may still store. It is negative above the quota. */
export async function readParcelRoom(db: Db, userId: number, { parcels }: Quotas): Promise<number> {
  const usage = parcels === 0 ? null : await readUsage(db, userId)
  return usage === null ? Infinity : parcels - usage.parcel_count
}

/** Errors: 422 `quota_exceeded`. */
export const parcelQuotaError = ({ parcels }: Quotas): AppError =>
  quotaError(
    `With this file you would have more than ${formatCount(parcels)} parcels from order files, the limit of one person. Ask an admin to raise the limit, then send the file again.`,
  )

const quotaError = (detail: string) => new AppError('quota_exceeded', detail)

const formatCount = (count: number) => Math.floor(count).toLocaleString('en')
