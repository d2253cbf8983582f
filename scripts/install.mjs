// Runs on Node 20 or later with nothing installed: built-in modules only.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Where Node keeps the compiled TypeScript and packages: the next start takes a third less time. */
export const compileCache = join(root, 'node_modules', '.cache', 'compile')

// The server runs its TypeScript directly and uses what Node has built in from here on.
const NODE_MAJOR = 26

/**
 * Installs the packages when they are missing or are not those of package-lock.json.
 * Answers the path of the Node to run everything else with. Ends the process, with the remedy, when it cannot.
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
  if (existsSync(link) && majorOf(link) === 0) rmSync(link)
}

/** Why the packages have to be installed, or undefined when they are those of package-lock.json. */
export function reasonToInstall(folder) {
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  // npm writes this list last, so an installation that was cut short has none.
  const list = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return 'no packages yet'
  const installed = packagesOf(list)
  for (const [path, wants] of Object.entries(wanted)) {
    if (path === '' || (wants.optional && !runsHere(wants))) continue
    const has = installed[path]
    if (has === undefined) return `${path} is missing`
    if (has.version !== wants.version || has.integrity !== wants.integrity) return `${path} has changed`
  }
  return undefined
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

// Optional packages are checked only where they must be here: programs for this very platform. Of two builds
// for one platform (glibc and musl), and of what an absent one depends on, npm keeps the list.
function runsHere({ os, cpu, libc }) {
  return os !== undefined && libc === undefined && allows(os, process.platform) && allows(cpu, process.arch)
}

function allows(given, value) {
  if (given === undefined) return true
  const list = [given].flat()
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
  // The cause comes first, npm's own help last.
  console.error(`${result.stdout ?? ''}${result.stderr ?? ''}`.trim().split('\n').slice(0, 20).join('\n'))
  fail(
    `"npm ci" failed${result.error ? `: ${result.error.message}` : ''}. ` +
      `Check the connection to the package registry and that ${root} is yours to write, then run the command again.`,
  )
}

/** What starts npm: the npm that runs this, else the one of the machine. */
export function npmCommand() {
  const script = process.env.npm_execpath
  return script?.endsWith('.js') ? [process.execPath, script] : ['npm']
}

/** The pinned Node of the installed packages, else the one that runs this if it is new enough. */
export function findNode(folder) {
  const modules = join(folder, 'node_modules')
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const candidates = [
    join(modules, `node-${platform}-${process.arch}`, 'bin', platform === 'win' ? 'node.exe' : 'node'),
    join(modules, `node-bin-${platform}-${process.arch}`, 'bin', 'node'),
    join(modules, '.bin', 'node'),
    process.execPath,
  ]
  const found = candidates.find((path) => existsSync(path) && majorOf(path) >= NODE_MAJOR)
  return (
    found ??
    fail(
      `Karvon needs Node ${NODE_MAJOR} or later and found ${process.version}. ${reasonOf(candidates)} ` +
        `Or install Node ${NODE_MAJOR}. Then run the command again.`,
    )
  )
}

/** Why no candidate could be used, with the remedy. */
function reasonOf(candidates) {
  const pinned = candidates.find((path) => existsSync(path) && path !== process.execPath)
  if (pinned === undefined) return `There is no pinned Node for ${process.platform} ${process.arch}.`
  const { stderr, error } = runVersion(pinned)
  const reason = (error?.message ?? stderr).trim().split('\n')[0]
  return `The pinned Node does not start: ${reason}. Install what it lacks (libatomic: apt-get install libatomic1).`
}

function majorOf(path) {
  if (path === process.execPath) return Number(process.versions.node.split('.')[0])
  return Number(/^v(\d+)/.exec(runVersion(path).stdout ?? '')?.[1] ?? 0)
}

const runVersion = (path) => spawnSync(path, ['--version'], { encoding: 'utf8' })

/** Prints the message and ends the process as failed. */
export function fail(message) {
  console.error(message)
  process.exit(1)
}
