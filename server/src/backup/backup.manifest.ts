import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'

const Manifest = Type.Object({
  karvon: Type.Literal(1),
  made_at: Type.String(),
  /** Names of the applied migrations, in order. */
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      columns: Type.Array(Type.String()),
      rows: Type.Integer(),
      /** Of the file as it lies there. */
      sha256: Type.String(),
    }),
  ),
  /** Uploaded files, by the SHA-256 of their bytes. */
  files: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
})
/** What a backup holds: `karvon.json` in its folder. */
export type Manifest = Static<typeof Manifest>

const nameOf = (folder: string) => join(folder, 'karvon.json')

export const tableFile = (folder: string, table: string): string => join(folder, 'tables', `${table}.copy.gz`)

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(nameOf(folder), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true })
}

/** Throws an Error that says what is wrong with the folder. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(nameOf(folder), 'utf8').catch(() => {
    throw new Error(`there is no backup in ${folder}`)
  })
  const found: unknown = JSON.parse(text)
  if (!Value.Check(Manifest, found)) throw new Error(`${nameOf(folder)} is not of a backup`)
  return found
}
