import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'

/** What requests still hold, as the metrics say; the reading itself is a probe. */
export async function stillHeld(url: string): Promise<string[]> {
  let held: string[] = []
  for (let tries = 0; tries < 50; tries += 1) {
    const { text } = await send(url, null, { method: 'GET', path: '/metrics' })
    held = [...text.matchAll(/^held\{what="(\w+)"\} ([1-9]\d*)$/gm)].flatMap(([, what = '', count]) =>
      what === 'probes' ? [] : [`${what}: ${count}`],
    )
    if (held.length === 0) return []
    await sleep(200)
  }
  return held
}
