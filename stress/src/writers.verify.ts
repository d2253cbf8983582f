import { allRows, must } from './client.ts'
import type { Writers } from './writers.ts'
import { kinds, type Ground, type Kind } from './writers.deeds.ts'

export interface Verified {
  acknowledged: number
  lost: number
  twice: number
  faults: string[]
}

type Row = Record<string, unknown>

/** What the product has of each kind, by the writers' names. */
async function stored(url: string, { token, source }: Ground): Promise<Record<Kind, string[]>> {
  const names = async (path: string, field: string) =>
    (await allRows<Row>(url, token, path)).map((row) => String(row[field]))
  const leads = await names(`/api/admin/leads/?source_id=${source}`, 'external_id')
  const uploads = await names('/api/admin/uploads/', 'name')
  return {
    offer: await names('/api/admin/offers/', 'extra_id'),
    lead: leads,
    postback: leads,
    parcel: await names('/api/parcel/parcels/all', 'orderno'),
    upload: uploads.map((name) => name.replace(/\.pdf$/, '')),
  }
}

/** Compares what the writers were promised with what the product has. Call it once they have stopped. */
export async function verify(url: string, ground: Ground, writers: Writers): Promise<Verified> {
  const there = await stored(url, ground)
  const faults = writers.unexpected.map((answer) => `An answer that nobody should get: ${answer}`)
  const sum = { acknowledged: 0, lost: 0, twice: 0 }
  for (const kind of kinds) {
    const times = new Map<string, number>()
    for (const name of there[kind]) times.set(name, (times.get(name) ?? 0) + 1)
    const acknowledged = writers.acknowledged[kind]
    const lost = [...acknowledged].filter((name) => !times.has(name))
    const twice = [...writers.tried[kind]].filter((name) => (times.get(name) ?? 0) > 1)
    const open = [...writers.tried[kind]].filter((name) => !acknowledged.has(name))
    sum.acknowledged += acknowledged.size
    sum.lost += lost.length
    sum.twice += twice.length
    faults.push(...lost.map((name) => `Acknowledged and lost: ${name}`))
    faults.push(...twice.map((name) => `Applied more than once: ${name}`))
    faults.push(...open.map((name) => `Never acknowledged: ${name}`))
  }
  for (const counter of writers.counters) {
    const path = `/api/admin/offers/${counter.id}`
    const { price } = await must<{ price: number }>(url, ground.token, { method: 'GET', path })
    sum.acknowledged += counter.acknowledged
    if (price >= counter.acknowledged && price <= counter.tried) continue
    sum.lost += 1
    faults.push(`A counter was acknowledged at ${counter.acknowledged} and stands at ${price}`)
  }
  return { ...sum, faults }
}
