import { randomUUID } from 'node:crypto'
import type { ClientRequest } from './client.ts'
import { admin } from './product.ts'
import { requestBuilders, type WriterSetup } from './writers.requests.ts'

const get = (path: string) => (): ClientRequest => ({ method: 'GET', path })

/** The usual requests of people, with relative frequencies. */
const requestMix: readonly { weight: number; build: (setup: WriterSetup) => ClientRequest }[] = [
  { weight: 20, build: get('/api/admin/offers/?per_page=20&sort=-price') },
  { weight: 20, build: get('/api/admin/leads/?per_page=20') },
  { weight: 15, build: get('/api/parcel/parcels/all?per_page=20') },
  { weight: 5, build: get('/api/parcel/parcels/search?search=parcel-a') },
  { weight: 10, build: get('/api/admin/report/stats') },
  { weight: 5, build: get('/api/admin/report/daily') },
  { weight: 5, build: get('/api/admin/uploads/?per_page=20') },
  { weight: 5, build: get('/parcel/auth/me') },
  // Exports of all rows, whose number grows.
  { weight: 0.2, build: get('/api/admin/offers/?format=xlsx') },
  { weight: 0.2, build: get('/api/admin/leads/?format=csv') },
  { weight: 1, build: () => ({ method: 'POST', path: '/parcel/auth/login', json: admin }) },
  ...Object.entries(requestBuilders).map(([kind, build]) => ({
    weight: 2,
    build: (setup: WriterSetup) => build(setup, `${kind}-${randomUUID()}`),
  })),
]

const totalWeight = requestMix.reduce((total, { weight }) => total + weight, 0)

/** Picks a random request of the mix. */
export function pickRequest(setup: WriterSetup): ClientRequest {
  let remaining = Math.random() * totalWeight
  for (const { weight, build } of requestMix) {
    remaining -= weight
    if (remaining < 0) return build(setup)
  }
  return { method: 'GET', path: '/parcel/auth/me' }
}
