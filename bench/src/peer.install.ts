import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** The folder with a peer's package.json, lockfile and sources. */
export const peerFolder = (name: string): string => path.join(import.meta.dirname, '..', 'peers', name)

/** Installs a peer on first use and after a change of its lockfile. Returns the version of its main package. */
export function installPeer(name: string, main: string): string {
  const folder = peerFolder(name)
  // npm writes this list last. A newer lockfile may have other versions.
  const list = path.join(folder, 'node_modules', '.package-lock.json')
  const lockfile = path.join(folder, 'package-lock.json')
  if (!existsSync(list) || statSync(lockfile).mtimeMs > statSync(list).mtimeMs) {
    console.log(`Installing ${main} for the comparison ...`)
    // `npm ci` would refuse this lockfile, because it lacks the builds for other platforms.
    runInPeer(name, 'npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  const manifest = readFileSync(path.join(folder, 'node_modules', main, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** Runs a program in a peer's folder and waits for its end. Throws its output if it fails. */
export function runInPeer(name: string, npmCommand: string, args: string[]): void {
  const result = spawnSync(npmCommand, args, { cwd: peerFolder(name), encoding: 'utf8' })
  if (result.status === 0) return
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`
  throw new Error(`${npmCommand} ${args.join(' ')} failed in bench/peers/${name}:\n${output}`)
}
