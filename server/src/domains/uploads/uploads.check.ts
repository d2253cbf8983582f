import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { openFileStore } from '../../platform/files/file-store.ts'
import { counted, type Check } from '../../platform/database/check.ts'

/** Every uploaded file, read to its end, against its row. */
export const uploadsCheck = (dataFolder: string): Check => ({
  name: 'uploaded files',
  async run(client) {
    const files = openFileStore(dataFolder)
    const { rows } = await client.query<{ sha256: string; id: number }>(
      'select sha256, min(id) as id from uploads where infected_with is null and file_removed_at is null group by sha256 order by sha256',
    )
    const faults: string[] = []
    for (const { sha256, id } of rows) {
      const kept = await files.read(sha256)
      const sum = createHash('sha256')
      if (kept === null) faults.push(`The file of upload ${id} is gone: ${files.pathOf(sha256)}.`)
      else if ((await pipeline(kept.stream, sum), sum.digest('hex') !== sha256))
        faults.push(`The file of upload ${id} is not what was uploaded: ${files.pathOf(sha256)}.`)
    }
    return { said: counted(rows.length, 'file'), faults }
  },
})
