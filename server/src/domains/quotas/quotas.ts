import type { Quotas } from '../../config.uploads.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError } from '../../platform/http/errors.ts'
import { readUsage } from './quotas.queries.ts'

const megabyte = 1024 * 1024

/**
 * Call this after the upload is inserted, in the same transaction. A trigger has locked the person's usage by then.
 * Errors: 422.
 */
export async function refuseUploadOverQuota(trx: Db, userId: number, quotas: Quotas): Promise<void> {
  const { uploads, uploadBytes } = quotas
  if (uploads === 0 && uploadBytes === 0) return
  const usage = await readUsage(trx, userId)
  if (usage === null) return
  if (uploads > 0 && usage.upload_count > uploads)
    throw new AppError('upload_quota_exceeded', { max: uploads })
  if (uploadBytes > 0 && usage.upload_bytes > uploadBytes)
    throw new AppError('upload_space_exceeded', { megabytes: Math.floor(uploadBytes / megabyte) })
}

/** The number of parcels of order files that a person may still store. It is negative above the quota. */
export async function readParcelRoom(db: Db, userId: number, { parcels }: Quotas): Promise<number> {
  const usage = parcels === 0 ? null : await readUsage(db, userId)
  return usage === null ? Infinity : parcels - usage.parcel_count
}

/** Errors: 422. */
export const createParcelQuotaError = ({ parcels }: Quotas): AppError =>
  new AppError('parcel_quota_exceeded', { max: parcels })
