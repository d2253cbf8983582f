import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The size and time of a downloaded file. `rows` excludes the header row. */
export interface Download {
  rows: number
  bytes: number
  seconds: number
}

/** How fast the client reads. */
export type ReadRate = 'at once' | { bytesPerSecond: number }

/**
 * Downloads a file and counts its lines. Throws if the answer is incomplete. It uses Node's plain client, which does not
 * read ahead, so that a slow client is really slow.
 */
export async function downloadFile(url: string, token: string, rate: ReadRate): Promise<Download> {
  const start = performance.now()
  const totals = { rows: -1, bytes: 0 }
  await new Promise<void>((resolve, reject) => {
    const clientRequest = request(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      const read = async () => {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          totals.bytes += chunk.length
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) totals.rows += 1
          if (rate === 'at once') continue
          const dueAt = (totals.bytes / rate.bytesPerSecond) * 1000 - (performance.now() - start)
          if (dueAt > 5) await sleep(dueAt)
        }
        if (!answer.complete) throw new Error(`${url} broke off after ${totals.bytes} bytes`)
      }
      read().then(resolve, reject)
    })
    clientRequest.once('error', reject)
    clientRequest.end()
  })
  return { ...totals, seconds: (performance.now() - start) / 1000 }
}
