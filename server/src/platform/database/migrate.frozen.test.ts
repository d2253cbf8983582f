import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMigrations } from './migrate.files.ts'

/** The checksums of the released migrations, as `sha256sum` writes them. */
const listedLines = readFileSync(join(import.meta.dirname, 'migrations.sha256'), 'utf8')
  .trimEnd()
  .split('\n')

test('the files of released migrations are unchanged', async () => {
  const files = await readMigrations(join(import.meta.dirname, 'migrations'))
  const lines = files.map(({ name, sha256 }) => `${sha256}  migrations/${name}`)
  expect(
    lines.slice(0, listedLines.length),
    'A released migration was changed, removed, or got another before it. Databases have applied it, and refuse to start. ' +
      'Restore the file, and put the change into a new migration with the next free number. ' +
      'A release adds the lines of its new migrations: cd server/src/platform/database && sha256sum migrations/*.sql > migrations.sha256',
  ).toEqual(listedLines)
})
