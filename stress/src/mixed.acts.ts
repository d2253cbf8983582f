import { randomUUID } from 'node:crypto'
import type { Asked } from './client.ts'
import { admin } from './product.ts'
import { deeds, type Ground } from './writers.deeds.ts'

const get = (path: string) => (): Asked => ({ method: 'GET', path })

/** What people do at a desk, as often as its weight says. */
const acts: readonly { weight: number; ask: (ground: Ground) => Asked }[] = [
  { weight: 20, ask: get('/api/admin/offers/?per_page=20&sort=-price') },
  { weight: 20, ask: get('/api/admin/leads/?per_page=20') },
  { weight: 15, ask: get('/api/parcel/parcels/all?per_page=20') },
  { weight: 5, ask: get('/api/parcel/parcels/search?search=parcel-a') },
  { weight: 10, ask: get('/api/admin/report/stats') },
  { weight: 5, ask: get('/api/admin/report/daily') },
  { weight: 5, ask: get('/api/admin/uploads/?per_page=20') },
  { weight: 5, ask: get('/parcel/auth/me') },
  // All rows, of which there are more and more.
  { weight: 0.2, ask: get('/api/admin/offers/?format=xlsx') },
  { weight: 0.2, ask: get('/api/admin/leads/?format=csv') },
  { weight: 1, ask: () => ({ method: 'POST', path: '/parcel/auth/login', json: admin }) },
  ...Object.entries(deeds).map(([kind, deed]) => ({
    weight: 2,
    ask: (ground: Ground) => deed(ground, `${kind}-${randomUUID()}`),
  })),
]

const sum = acts.reduce((total, { weight }) => total + weight, 0)

/** One thing that somebody does, by chance. */
export function anyAct(ground: Ground): Asked {
  let left = Math.random() * sum
  for (const { weight, ask } of acts) {
    left -= weight
    if (left < 0) return ask(ground)
  }
  return { method: 'GET', path: '/parcel/auth/me' }
}
