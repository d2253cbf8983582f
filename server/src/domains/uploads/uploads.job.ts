import { openFileStore } from '../../platform/files/file-store.ts'
import { openTelegram } from '../../integrations/telegram/telegram.ts'
import { messageQueueJob } from '../../platform/queue/queue.job.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { openScanner } from '../../platform/files/received-scan.ts'
import { uploadsRetention } from './uploads.retention.ts'
import { scanJob } from './uploads.scan-job.ts'
import { sendUpload, type SendParts } from './uploads.send.ts'
import type { TakeOrders } from './uploads.upload.ts'

/** What uploads are sent with. */
export function sendParts({ db, pool, config }: Deps): SendParts {
  const { chat, rate, answerWithin } = config.telegram
  const telegram = openTelegram(config.telegram)
  const destination = telegram === null || chat === undefined ? null : { telegram, chat, rate, answerWithin }
  return { db, pool, files: openFileStore(config.dataFolder), destination }
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

/** Sends the uploads whose first attempt failed, `pause` milliseconds apart. None where Telegram is not set up. */
export function uploadsJob(deps: Deps, pause = 1000): Job[] {
  const parts = sendParts(deps)
  const { destination } = parts
  if (destination === null) return []
  return [
    messageQueueJob(deps, {
      name: 'uploads',
      table: 'uploads',
      every: 5000,
      pause,
      deliver: (id, signal) => sendUpload(parts, destination, id, signal),
    }),
  ]
}
