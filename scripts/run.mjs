// Child processes of the scripts. They end with the script, and the script has their exit code.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'

/** Runs a file of the project with the arguments of this script, and exits with its exit code. */
export async function runFile(file) {
  const args = [join(root, file), ...process.argv.slice(2)]
  process.exit(await runTogether([{ command: ensureInstalled(), args, options: { cwd: root } }]))
}

/**
 * Runs commands in parallel in the foreground until one of them ends, and then stops the others. Returns the exit code of
 * the first one that ended, or 128 + the number of its signal.
 */
export async function runTogether(commands) {
  const children = commands.map(({ command, args, options }) =>
    spawn(command, args, { stdio: 'inherit', ...options }),
  )
  const stopAll = (signal) => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // The terminal sends Ctrl-C to the children too.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) stopAll(signal)
    })
  }
  const unwatch = watchParent(() => stopAll('SIGTERM'))
  const ends = children.map(waitForEnd)
  const code = await Promise.race(ends)
  stopAll('SIGTERM')
  await Promise.all(ends)
  unwatch()
  return code
}

/** npm sends signals to a shell that ends without forwarding them. So the end of the shell counts as the signal. */
function watchParent(onParentEnd) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onParentEnd()
  }, 250)
  return () => clearInterval(timer)
}

function waitForEnd(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
