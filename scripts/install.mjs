// Runs on Node 20 or later with nothing installed: built-in modules only.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether node started this module itself, also by a path through a link. */
export function isStarted({ url }) {
  const file = process.argv[1]
  return file !== undefined && url === pathToFileURL(realpathSync(file)).href
}

/** Node's cache of compiled TypeScript and packages. With it, a start takes a third less time. */
export const compileCache = join(root, 'node_modules', '.cache', 'compile')

// The first version with the built-in features that the server uses, such as running TypeScript directly.
const requiredNodeMajor = 26

/**
 * Installs the packages if they are missing or differ from package-lock.json. Returns the path of the Node that runs all
 * other programs. On a failure, prints the remedy and ends the process.
 */
export function ensureInstalled() {
  const why = reasonToInstall(root)
  if (why !== undefined) {
    install(why)
    removeUnusableNode(root)
  }
  return findNode(root)
}

/**
 * Removes the link to the pinned Node where it cannot run, for instance without libatomic.so.1. npm prefers this link
 * to the machine's Node, so every later command would fail.
 */
export function removeUnusableNode(folder) {
  const link = join(folder, 'node_modules', '.bin', 'node')
  if (existsSync(link) && readMajorVersion(link) === 0) rmSync(link)
}

/** The reason to install the packages; undefined if they equal package-lock.json. */
export function reasonToInstall(folder) {
  const lockedPackages = readPackages(join(folder, 'package-lock.json'))
  // npm writes this list last, so an interrupted installation has none.
  const list = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return 'no packages yet'
  const installedPackages = readPackages(list)
  for (const [path, wants] of Object.entries(lockedPackages)) {
    if (path === '' || (wants.optional && !runsHere(wants))) continue
    const has = installedPackages[path]
    // npm also lists an optional package that it could not unpack.
    if (has === undefined || !existsSync(join(folder, path))) return `${path} is missing`
    if (has.version !== wants.version || has.integrity !== wants.integrity) return `${path} has changed`
  }
  return undefined
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

// Optional packages are checked only if this platform needs them. npm decides between two builds for one platform (glibc
// and musl), and about the packages that an absent one needs.
function runsHere({ os, cpu, libc }) {
  return os !== undefined && libc === undefined && allows(os, process.platform) && allows(cpu, process.arch)
}

function allows(restriction, value) {
  if (restriction === undefined) return true
  const list = [restriction].flat()
  return list.some((entry) => !entry.startsWith('!')) ? list.includes(value) : !list.includes(`!${value}`)
}

function install(why) {
  console.log(`Installing packages (${why}); the first time takes about a minute ...`)
  const [command, ...first] = npmCommand()
  const args = [
    ...first,
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (result.status === 0) return
  // The first lines have the cause.
  console.error(`${result.stdout ?? ''}${result.stderr ?? ''}`.trim().split('\n').slice(0, 20).join('\n'))
  fail(
    `"npm ci" failed${result.error ? `: ${result.error.message}` : ''}. ` +
      `Check the connection to the package registry and that ${root} is writable, then run the command again.`,
  )
}

/** The command that starts npm: the npm that runs this process, or the one of the machine. */
export function npmCommand() {
  const script = process.env.npm_execpath
  return script?.endsWith('.js') ? [process.execPath, script] : ['npm']
}

/** The pinned Node of the installed packages, or the Node of this process if it is new enough. */
export function findNode(folder) {
  const modules = join(folder, 'node_modules')
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const candidates = [
    join(modules, `node-${platform}-${process.arch}`, 'bin', platform === 'win' ? 'node.exe' : 'node'),
    join(modules, `node-bin-${platform}-${process.arch}`, 'bin', 'node'),
    join(modules, '.bin', 'node'),
    process.execPath,
  ]
  const nodePath = candidates.find((path) => existsSync(path) && readMajorVersion(path) >= requiredNodeMajor)
  return (
    nodePath ??
    fail(
      `Karvon needs Node ${requiredNodeMajor} or later and found ${process.version}. ${describeUnusableNode(candidates)} ` +
        `Or install Node ${requiredNodeMajor}. Then run the command again.`,
    )
  )
}

/** The reason why the pinned Node does not run, with the remedy. */
function describeUnusableNode(candidates) {
  const pinnedPath = candidates.find((path) => existsSync(path) && path !== process.execPath)
  if (pinnedPath === undefined) return `There is no pinned Node for ${process.platform} ${process.arch}.`
  const { stderr, error } = runVersion(pinnedPath)
  const reason = (error?.message ?? stderr).trim().split('\n')[0]
  return `The pinned Node does not start: ${reason}. Install what it lacks (libatomic: apt-get install libatomic1).`
}

function readMajorVersion(path) {
  if (path === process.execPath) return Number(process.versions.node.split('.')[0])
  return Number(/^v(\d+)/.exec(runVersion(path).stdout ?? '')?.[1] ?? 0)
}

const runVersion = (path) => spawnSync(path, ['--version'], { encoding: 'utf8' })

/** Prints the message and ends the process with exit code 1. */
export function fail(message) {
  console.error(message)
  process.exit(1)
}
