import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '../../platform/files/file-store.ts'
import { formatCount, type Check } from '../../platform/database/check.ts'
import { readStoredFiles } from './uploads.queries.ts'

/** Reads every uploaded file and compares its SHA-256 with its row. */
export const createUploadsCheck = (files: FileStore): Check => ({
  name: 'uploaded files',
  async run(client) {
    const storedFiles = await readStoredFiles(client)
    const faults: string[] = []
    for (const { sha256, id } of storedFiles) {
      const file = await files.read(sha256)
      const sum = createHash('sha256')
      if (file === null) faults.push(`The file of upload ${id} is gone: ${files.describe(sha256)}.`)
      else if ((await pipeline(file.stream, sum), sum.digest('hex') !== sha256))
        faults.push(`The file of upload ${id} is not what was uploaded: ${files.describe(sha256)}.`)
    }
    return { summary: formatCount(storedFiles.length, 'file'), faults }
  },
})
