import { hasUploadChat } from '../../config.senders.ts'
import { requireFileStore } from '../../platform/files/file-store.mark.ts'
import { openTelegram } from '../../integrations/telegram/telegram.ts'
import { messageQueueJob } from '../../platform/queue/queue.job.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { openScanner } from '../../platform/files/received-scan.ts'
import { uploadsRetention } from './uploads.retention.ts'
import { scanJob } from './uploads.scan-job.ts'
import { sendUpload, type UploadSendDeps } from './uploads.send.ts'

/** Opens what {@link sendUpload} needs. */
export function createSendDeps({ db, pool, config, files }: Deps): UploadSendDeps {
  const settings = config.telegram
  const telegram = openTelegram(settings)
  if (telegram === null || !hasUploadChat(settings)) return { db, pool, files, destination: null }
  const { chat, rate, answerWithin } = settings
  return { db, pool, files, destination: { telegram, chat, rate, answerWithin } }
}

/** The job that scans waiting uploads. No job without a scanner in the settings. */
export function uploadScansJob(deps: Deps): Job[] {
  const scanner = openScanner(deps.config)
  if (scanner === null) return []
  return [withFileStore(deps, scanJob(deps, scanner))]
}

/** The jobs that remove files and records after their retention time. */
export const uploadsRetentionJobs = (deps: Deps): Job[] =>
  uploadsRetention(deps).map((job) => withFileStore(deps, job))

/** The job that retries uploads, `pause` milliseconds apart. No job without Telegram in the settings. */
export function uploadsJob(deps: Deps, pause = 1000): Job[] {
  const sendDeps = createSendDeps(deps)
  const { destination } = sendDeps
  if (destination === null) return []
  const job = messageQueueJob(deps, {
    name: 'uploads',
    table: 'uploads',
    interval: 5000,
    pause,
    deliver: (id, signal) => sendUpload({ ...sendDeps, destination }, { id }, signal),
  })
  return [withFileStore(deps, job)]
}

/** A run in a process with another file store fails, because it would treat each file as missing. */
const withFileStore = ({ db, files }: Deps, job: Job): Job => ({
  ...job,
  async run(signal) {
    await requireFileStore(db, files)
    return job.run(signal)
  },
})
