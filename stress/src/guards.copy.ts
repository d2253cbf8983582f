import { cp, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Guard } from './guards.define.ts'
import { createFolder } from './product.ts'

export const repository = path.join(import.meta.dirname, '..', '..')

const workspaces = ['contract', 'server', 'testkit'] as const
const excludedNames = new Set(['node_modules', 'dist', 'data', '.cache'])

/**
 * Copies the files that the server's tests need, so that a run may change them. Installed packages are symbolic links.
 * `await using` removes the copy.
 */
export async function copyRepository(): Promise<AsyncDisposable & { path: string }> {
  const folder = await createFolder()
  for (const entry of [...workspaces, 'package.json', 'tsconfig.base.json']) {
    await cp(path.join(repository, entry), path.join(folder.path, entry), {
      recursive: true,
      filter: (from) => !excludedNames.has(path.basename(from)),
    })
  }
  // The tests only read these.
  for (const entry of ['docs', 'web', 'scripts', 'README.md'])
    await symlink(path.join(repository, entry), path.join(folder.path, entry))
  await linkPackages(path.join(repository, 'node_modules'), path.join(folder.path, 'node_modules'))
  for (const workspace of workspaces) {
    const packages = path.join(repository, workspace, 'node_modules')
    await symlink(packages, path.join(folder.path, workspace, 'node_modules'))
  }
  return folder
}

/** Links the installed packages, and the workspaces to those of the copy. */
async function linkPackages(from: string, to: string): Promise<void> {
  const ownScope = path.join(to, '@karvon')
  await mkdir(ownScope, { recursive: true })
  for (const name of await readdir(from))
    if (name !== '@karvon') await symlink(path.join(from, name), path.join(to, name))
  for (const name of await readdir(path.join(from, '@karvon')))
    await symlink(await readlink(path.join(from, '@karvon', name)), path.join(ownScope, name))
}

/** Removes the guard from the copy, runs the callback and restores the file. Throws if the code does not occur once. */
export async function withoutGuard<T>(copy: string, guard: Guard, callback: () => Promise<T>): Promise<T> {
  const file = path.join(copy, guard.file)
  const content = await readFile(file, 'utf8')
  if (countOccurrences(content, guard.code) !== 1)
    throw new Error(`${guard.name}: its code does not occur once in ${guard.file}`)
  await writeFile(
    file,
    content.replace(guard.code, () => guard.replacement),
  )
  try {
    return await callback()
  } finally {
    await writeFile(file, content)
  }
}

export const countOccurrences = (content: string, fragment: string): number =>
  content.split(fragment).length - 1
