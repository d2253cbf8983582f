import { cp, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Guard } from './guards.guard.ts'
import { newFolder } from './product.ts'

/** This repository. */
export const repository = path.join(import.meta.dirname, '..', '..')

const workspaces = ['contract', 'server', 'testkit'] as const
const left = new Set(['node_modules', 'dist', 'data', '.cache'])

/**
 * A copy of what the server's tests need, whose files may be changed; what npm installed is linked. `await using`
 * removes it.
 */
export async function copyRepository(): Promise<AsyncDisposable & { path: string }> {
  const folder = await newFolder()
  for (const each of [...workspaces, 'package.json', 'tsconfig.base.json']) {
    await cp(path.join(repository, each), path.join(folder.path, each), {
      recursive: true,
      filter: (from) => !left.has(path.basename(from)),
    })
  }
  // What the tests read of the rest of the repository.
  for (const each of ['docs', 'web', 'scripts', 'README.md'])
    await symlink(path.join(repository, each), path.join(folder.path, each))
  await linkModules(path.join(repository, 'node_modules'), path.join(folder.path, 'node_modules'))
  for (const each of workspaces) {
    const modules = path.join(repository, each, 'node_modules')
    await symlink(modules, path.join(folder.path, each, 'node_modules'))
  }
  return folder
}

/** Links what is installed, but our own packages to those of the copy. */
async function linkModules(from: string, to: string): Promise<void> {
  const own = path.join(to, '@karvon')
  await mkdir(own, { recursive: true })
  for (const name of await readdir(from))
    if (name !== '@karvon') await symlink(path.join(from, name), path.join(to, name))
  for (const name of await readdir(path.join(from, '@karvon')))
    await symlink(await readlink(path.join(from, '@karvon', name)), path.join(own, name))
}

/** Does `work` while the guard is out of the copy. Throws where it does not stand there exactly once. */
export async function without<T>(copy: string, guard: Guard, work: () => Promise<T>): Promise<T> {
  const file = path.join(copy, guard.file)
  const whole = await readFile(file, 'utf8')
  if (timesIn(whole, guard.from) !== 1) throw new Error(`${guard.name} does not stand once in ${guard.file}`)
  await writeFile(
    file,
    whole.replace(guard.from, () => guard.to),
  )
  try {
    return await work()
  } finally {
    await writeFile(file, whole)
  }
}

export const timesIn = (whole: string, part: string): number => whole.split(part).length - 1
