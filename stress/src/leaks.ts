import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'

/** Waits until requests hold no resource, by the gauge `held`. Returns those that remain. This request is itself a probe. */
export async function findLeakedResources(url: string): Promise<string[]> {
  let leakedResources: string[] = []
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { text } = await send(url, null, { method: 'GET', path: '/metrics' })
    leakedResources = [...text.matchAll(/^held\{what="(\w+)"\} ([1-9]\d*)$/gm)].flatMap(
      ([, resource = '', count]) => (resource === 'probes' ? [] : [`${resource}: ${count}`]),
    )
    if (leakedResources.length === 0) return []
    await sleep(200)
  }
  return leakedResources
}
