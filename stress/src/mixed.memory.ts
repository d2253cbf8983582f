import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What lets a process be told to collect its garbage: its inspector, on this machine alone. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

const inspector = /Debugger listening on (ws:\/\/\S+)/

/**
 * Resident memory of a process in megabytes once its garbage is collected: the least of several looks, since what the
 * collector gives back, the system takes back by and by.
 */
export async function settledMemory(pid: number, printed: string): Promise<number> {
  const address = inspector.exec(printed)?.[1]
  if (address === undefined) throw new Error('The process has no inspector')
  const seen: number[] = []
  for (let look = 0; look < 5; look += 1) {
    await collect(address)
    await sleep(500)
    seen.push(resident(pid))
  }
  return Math.min(...seen)
}

async function collect(address: string): Promise<void> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', () =>
      socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' })),
    )
    socket.addEventListener('message', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer')))
  })
  socket.close()
}

/** proc_pid_status(5) counts in 1024 bytes. */
function resident(pid: number): number {
  const kibibytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}
