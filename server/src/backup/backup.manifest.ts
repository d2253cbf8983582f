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
      /** The last id that was given, also to a row that is deleted. Older backups do not have it. */
      last_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      /** Of the stored file. */
      sha256: Type.String(),
    }),
  ),
  /** Uploaded files, by the SHA-256 of their bytes. */
  files: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
})
/** The content of a backup: `karvon.json` in its folder. */
export type Manifest = Static<typeof Manifest>

const getManifestPath = (folder: string) => join(folder, 'karvon.json')

export const getTableFilePath = (folder: string, table: string): string =>
  join(folder, 'tables', `${table}.copy.gz`)

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(getManifestPath(folder), `${JSON.stringify(manifest, null, 1)}\n`, {
    mode: 0o600,
    flush: true,
  })
}

/** Throws an Error that names the fault of the folder. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(getManifestPath(folder), 'utf8').catch(() => {
    throw new Error(`there is no backup in ${folder}`)
  })
  const manifest = parseJson(text)
  if (!Value.Check(Manifest, manifest)) throw new Error(`${getManifestPath(folder)} is not of a backup`)
  return manifest
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
