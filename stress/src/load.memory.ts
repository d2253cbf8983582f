import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts a process with its inspector, which can run a garbage collection. */
export const inspectorEnv = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

const inspector = /Debugger listening on (ws:\/\/\S+)/

/**
 * Resident memory of a process in megabytes after a garbage collection. It is the minimum of several samples, because the
 * system takes freed memory back slowly.
 */
export async function measureMemory(pid: number, output: string): Promise<number> {
  const inspectorUrl = inspector.exec(output)?.[1]
  if (inspectorUrl === undefined) throw new Error('The process has no inspector')
  const samples: number[] = []
  for (let index = 0; index < 5; index += 1) {
    await collectGarbage(inspectorUrl)
    await sleep(500)
    samples.push(readResidentMemory(pid))
  }
  return Math.min(...samples)
}

async function collectGarbage(inspectorUrl: string): Promise<void> {
  const socket = new WebSocket(inspectorUrl)
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
function readResidentMemory(pid: number): number {
  const kibibytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}
