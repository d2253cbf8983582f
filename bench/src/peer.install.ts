import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** Where a peer's own package.json, lockfile and sources stand. */
export const peerFolder = (name: string): string => path.join(import.meta.dirname, '..', 'peers', name)

/** Installs a peer by its own lockfile on first use and after a change of it; answers its main package's version. */
export function installPeer(name: string, main: string): string {
  const folder = peerFolder(name)
  // npm writes this list last; a lockfile that is younger asks for other versions.
  const list = path.join(folder, 'node_modules', '.package-lock.json')
  const lockfile = path.join(folder, 'package-lock.json')
  if (!existsSync(list) || statSync(lockfile).mtimeMs > statSync(list).mtimeMs) {
    console.log(`Installing ${main} for the comparison ...`)
    // Not `ci`: it refuses a lockfile without the builds for platforms that nobody here could ask a registry for.
    runInPeer(name, 'npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  const manifest = readFileSync(path.join(folder, 'node_modules', main, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** Runs a program to its end in a peer's folder. Throws with its output when it fails. */
export function runInPeer(name: string, npmCommand: string, args: string[]): void {
  const result = spawnSync(npmCommand, args, { cwd: peerFolder(name), encoding: 'utf8' })
  if (result.status === 0) return
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`
  throw new Error(`${npmCommand} ${args.join(' ')} failed in bench/peers/${name}:\n${output}`)
}
