import { requireDataFolder } from '../../platform/files/data-folder.ts'
import { openFileStore } from '../../platform/files/file-store.ts'
import { openTelegram } from '../../integrations/telegram/telegram.ts'
import { messageQueueJob } from '../../platform/queue/queue.job.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { openScanner } from '../../platform/files/received-scan.ts'
import { uploadsRetention } from './uploads.retention.ts'
import { scanJob } from './uploads.scan-job.ts'
import { sendUpload, type UploadSendDeps } from './uploads.send.ts'

/** Opens what {@link sendUpload} needs. */
export function createSendDeps({ db, pool, config }: Deps): UploadSendDeps {
  const { chat, rate, answerWithin } = config.telegram
  const telegram = openTelegram(config.telegram)
  const destination = telegram === null || chat === undefined ? null : { telegram, chat, rate, answerWithin }
  return { db, pool, files: openFileStore(config.dataFolder), destination }
}

/** The job that scans waiting uploads. No job without a scanner in the settings. */
export function uploadScansJob(deps: Deps): Job[] {
  const scanner = openScanner(deps.config)
  if (scanner === null) return []
  return [withDataFolder(deps, scanJob(deps, openFileStore(deps.config.dataFolder), scanner))]
}

/** The jobs that remove files and records after their retention time. */
export const uploadsRetentionJobs = (deps: Deps): Job[] =>
  uploadsRetention(deps, openFileStore(deps.config.dataFolder)).map((job) => withDataFolder(deps, job))

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
    deliver: (id, signal) => sendUpload({ ...sendDeps, destination }, id, signal),
  })
  return [withDataFolder(deps, job)]
}

/** A run in a process with another data folder fails before it takes a file for missing. */
const withDataFolder = ({ pool, config }: Deps, job: Job): Job => ({
  ...job,
  async run(signal) {
    await requireDataFolder(pool, config.dataFolder)
    return job.run(signal)
  },
})
