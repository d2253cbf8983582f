import { openFileStore } from '../clients/file-store.ts'
import { openTelegram } from '../clients/telegram.ts'
import { deliveriesJob, type Manners } from '../kit/deliveries/deliveries.job.ts'
import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'
import { openScanner } from '../kit/received-scan.ts'
import { uploadsRetention } from './uploads.retention.ts'
import { scanJob } from './uploads.scan-job.ts'
import { uploadLetter, type SendParts } from './uploads.send.ts'
import type { TakeOrders } from './uploads.upload.ts'

/** What uploads are sent with. */
export function sendParts({ db, pool, config }: Deps): SendParts {
  const { chat, pace } = config.telegram
  const telegram = openTelegram(config.telegram)
  const post = telegram === null || chat === undefined ? null : { telegram, chat, pace }
  return { db, pool, files: openFileStore(config.dataFolder), post }
}

/** Scans the uploads that wait for it. None where no scanner is set up. */
export function uploadScansJob(deps: Deps, takeOrders: TakeOrders): Job[] {
  const scanner = openScanner(deps.config)
  if (scanner === null) return []
  return [scanJob(deps, { db: deps.db, files: openFileStore(deps.config.dataFolder), scanner, takeOrders })]
}

/** Removes the files that were kept for long enough. */
export const uploadsRetentionJobs = (deps: Deps): Job[] =>
  uploadsRetention(deps, openFileStore(deps.config.dataFolder))

/** Sends the uploads that the first attempt did not get away. None where Telegram is not set up. */
export function uploadsJob(deps: Deps, manners?: Manners): Job[] {
  const parts = sendParts(deps)
  const { post } = parts
  if (post === null) return []
  return [deliveriesJob(deps, 'uploads', (id) => uploadLetter(parts, post, id), manners)]
}
