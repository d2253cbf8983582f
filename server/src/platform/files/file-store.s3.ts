import type { S3Settings } from '../../config.s3.ts'
import type { FileStore } from './file-store.ts'
import { openIncomingFile } from './incoming-files.ts'
import { openS3Bucket } from './s3-bucket.ts'
import { requireSha256 } from './sha256.ts'

/** A mark is a UUID. */
const maxMarkBytes = 100

/** Opens a store in a bucket. The keys are `files/` and the SHA-256. */
export function openS3Store(settings: S3Settings, dataFolder: string): FileStore {
  const bucket = openS3Bucket(settings)
  const getKey = (sha256: string) => `${settings.prefix}files/${requireSha256(sha256)}`
  const markKey = `${settings.prefix}data-folder`
  // The mark of a bucket does not change, and probes read it often.
  let mark: string | null = null
  return {
    describe: (sha256) => `s3://${settings.bucket}/${getKey(sha256)}`,
    async store(path, sha256) {
      await bucket.putFile(getKey(sha256), { path, sha256 })
      return path
    },
    async withPath(sha256, work) {
      await using file = await openIncomingFile(dataFolder)
      await bucket.download(getKey(sha256), file.path)
      return await work(file.path)
    },
    read: async (sha256) => bucket.get(getKey(sha256)),
    remove: async (sha256) => bucket.remove(getKey(sha256)),
    async readMark() {
      mark ??= (await bucket.getText(markKey, maxMarkBytes))?.trim() ?? null
      return mark
    },
    async writeMark(text) {
      await bucket.putText(markKey, `${text}\n`)
      mark = text
    },
    mayHaveOldFiles: async () => false,
  }
}
