// Child processes of the scripts: they end with the script, and the script ends as they did.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs the commands side by side in the foreground until one of them ends; the others are then told to
 * stop. Answers the exit code of the first to end, 128 + number of the signal that ended it.
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
      // Ctrl-C in a terminal reaches the children by itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) stopAll(signal)
    })
  }
  const unwatch = watchParent(() => stopAll('SIGTERM'))
  const endings = children.map(ending)
  const code = await Promise.race(endings)
  stopAll('SIGTERM')
  await Promise.all(endings)
  unwatch()
  return code
}

/** npm passes a signal to a shell that ends without passing it on: then the shell's end is the signal. */
function watchParent(orphaned) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    orphaned()
  }, 250)
  return () => clearInterval(timer)
}

function ending(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
