import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What one file came to; `rows` without its heading. */
export interface Download {
  rows: number
  bytes: number
  seconds: number
}

/** How a reader takes the file: as fast as it comes, or so many bytes a second. */
export type Pace = 'at once' | { bytesPerSecond: number }

/**
 * Reads a file to its end, counting lines. Throws unless it is answered whole.
 * Node's plain client: it reads nothing ahead of what it was asked for, so that a slow reader is one.
 */
export async function downloadFile(url: string, token: string, pace: Pace): Promise<Download> {
  const start = performance.now()
  const taken = { rows: -1, bytes: 0 }
  await new Promise<void>((resolve, reject) => {
    const asking = request(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      const read = async () => {
        for await (const piece of answer as AsyncIterable<Buffer>) {
          taken.bytes += piece.length
          for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) taken.rows += 1
          if (pace === 'at once') continue
          const due = (taken.bytes / pace.bytesPerSecond) * 1000 - (performance.now() - start)
          if (due > 5) await sleep(due)
        }
        if (!answer.complete) throw new Error(`${url} broke off after ${taken.bytes} bytes`)
      }
      read().then(resolve, reject)
    })
    asking.once('error', reject)
    asking.end()
  })
  return { ...taken, seconds: (performance.now() - start) / 1000 }
}
