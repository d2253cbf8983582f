import { readAllRows, sendOrThrow } from './client.ts'
import type { Writers } from './writers.ts'
import { kinds, type WriterSetup, type Kind } from './writers.requests.ts'

export interface Verification {
  acknowledged: number
  lost: number
  duplicates: number
  failures: string[]
}

type Row = Record<string, unknown>

/** Reads the writers' names of all stored rows of each kind. */
async function readStoredNames(url: string, { token, source }: WriterSetup): Promise<Record<Kind, string[]>> {
  const names = async (path: string, field: string) =>
    (await readAllRows<Row>(url, token, path)).map((row) => String(row[field]))
  const leads = await names(`/api/admin/leads/?source_id=${source}`, 'external_id')
  const uploads = await names('/api/admin/uploads/', 'name')
  return {
    offer: await names('/api/admin/offers/', 'extra_id'),
    lead: leads,
    postback: leads,
    parcel: await names('/api/parcel/parcels/all', 'orderno'),
    act: await names('/api/admin/settlements/', 'number'),
    upload: uploads.map((name) => name.replace(/\.pdf$/, '')),
  }
}

/** Compares the acknowledged requests with the stored rows. Call it after the writers have stopped. */
export async function verify(url: string, setup: WriterSetup, writers: Writers): Promise<Verification> {
  const storedNames = await readStoredNames(url, setup)
  const failures = writers.unexpectedAnswers.map((answer) => `Unexpected answer: ${answer}`)
  const totals = { acknowledged: 0, lost: 0, duplicates: 0 }
  for (const kind of kinds) {
    const counts = new Map<string, number>()
    for (const name of storedNames[kind]) counts.set(name, (counts.get(name) ?? 0) + 1)
    const acknowledgedNames = writers.acknowledged[kind]
    const lostNames = [...acknowledgedNames].filter((name) => !counts.has(name))
    const duplicates = [...writers.attempted[kind]].filter((name) => (counts.get(name) ?? 0) > 1)
    const unacknowledgedNames = [...writers.attempted[kind]].filter((name) => !acknowledgedNames.has(name))
    totals.acknowledged += acknowledgedNames.size
    totals.lost += lostNames.length
    totals.duplicates += duplicates.length
    failures.push(...lostNames.map((name) => `Acknowledged and lost: ${name}`))
    failures.push(...duplicates.map((name) => `Applied more than once: ${name}`))
    failures.push(...unacknowledgedNames.map((name) => `Never acknowledged: ${name}`))
  }
  for (const counter of writers.counters) {
    const path = `/api/admin/offers/${counter.id}`
    const { price } = await sendOrThrow<{ price: number }>(url, setup.token, { method: 'GET', path })
    totals.acknowledged += counter.acknowledged
    if (price >= counter.acknowledged && price <= counter.attempted) continue
    totals.lost += 1
    failures.push(`A counter was acknowledged at ${counter.acknowledged} and is ${price}`)
  }
  return { ...totals, failures }
}
