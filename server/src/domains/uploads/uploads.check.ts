import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { openFileStore } from '../../platform/files/file-store.ts'
import { formatCount, type Check } from '../../platform/database/check.ts'

/** Reads every uploaded file and compares its SHA-256 with its row. */
export const uploadsCheck = (dataFolder: string): Check => ({
  name: 'uploaded files',
  async run(client) {
    const files = openFileStore(dataFolder)
    const { rows } = await client.query<{ sha256: string; id: number }>(
      'select sha256, min(id) as id from uploads where infected_with is null and file_removed_at is null group by sha256 order by sha256',
    )
    const faults: string[] = []
    for (const { sha256, id } of rows) {
      const stored = await files.read(sha256)
      const sum = createHash('sha256')
      if (stored === null) faults.push(`The file of upload ${id} is gone: ${files.getPath(sha256)}.`)
      else if ((await pipeline(stored.stream, sum), sum.digest('hex') !== sha256))
        faults.push(`The file of upload ${id} is not what was uploaded: ${files.getPath(sha256)}.`)
    }
    return { summary: formatCount(rows.length, 'file'), faults }
  },
})
