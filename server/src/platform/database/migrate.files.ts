import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface MigrationFile {
  /** `0001_people.sql` */
  name: string
  sql: string
  /** Hex SHA-256 of the text with LF line ends, so that a checkout on Windows has the same value. */
  sha256: string
}

/** Reads the numbered files in order. Throws for a name that is not `NNNN_name.sql` and for a duplicate number. */
export async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()
  const numbers = new Map<string, string>()
  const files: MigrationFile[] = []
  for (const name of names) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
    if (number === undefined) {
      throw new Error(
        `${join(folder, name)} is no migration: name it like 0042_what_it_does.sql, or move it to another folder`,
      )
    }
    const otherName = numbers.get(number)
    if (otherName !== undefined) {
      throw new Error(
        `${otherName} and ${name} in ${folder} have the same number: give the newer one the next free number`,
      )
    }
    numbers.set(number, name)
    const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
    files.push({ name, sql, sha256: createHash('sha256').update(sql).digest('hex') })
  }
  return files
}
