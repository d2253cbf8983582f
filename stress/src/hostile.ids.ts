import type { FindIds } from './hostile.attack.ts'
import type { Operation } from './hostile.operations.ts'
import type { Random } from './hostile.random.ts'

const fields: Readonly<Record<string, string>> = {
  source_id: 'cpa-sources',
  source_ids: 'cpa-sources',
  cpa_source_id: 'cpa-sources',
  user_id: 'users',
  owner_id: 'users',
  role_id: 'roles',
  status_id: 'statuses',
  type_id: 'status-types',
  offer_id: 'offers',
  master_offer_id: 'offers',
  stream_id: 'streams',
  source_credential_id: 'source-credentials',
  template_id: 'postback-templates',
  lead_id: 'leads',
  ids: 'leads',
}

const most = 200

const nobody = 999_999

const careful = (operation: Operation) =>
  operation.method !== 'GET' && ['users', 'roles'].includes(resourceOf(operation) ?? '')

/** Ids that answers told of, so that attacks reach rows that are there. */
export class Ids {
  readonly #known = new Map<string, number[]>()

  /** Keeps what a list or a new row tells of. */
  learn(operation: Operation, body: unknown): void {
    const resource = resourceOf(operation)
    if (resource === null || typeof body !== 'object' || body === null) return
    const rows = 'items' in body && Array.isArray(body.items) ? (body.items as unknown[]) : [body]
    const known = this.#known.get(resource) ?? []
    for (const row of rows) {
      if (typeof row !== 'object' || row === null || !('id' in row) || typeof row.id !== 'number') continue
      if (!known.includes(row.id)) known.push(row.id)
    }
    // The newest are the likeliest to be there still.
    this.#known.set(resource, known.slice(-most))
  }

  /** `spared` are people whom no attack may change. */
  finder(random: Random, spared: ReadonlySet<number>): FindIds {
    const some = (resource: string | undefined) => {
      const known = resource === undefined ? [] : (this.#known.get(resource) ?? [])
      return known.length === 0 ? null : random.pick(known)
    }
    return {
      of: (field) => some(fields[field]),
      at: (operation) => {
        const resource = resourceOf(operation)
        const id = some(resource ?? undefined)
        if (!careful(operation)) return id
        if (resource === 'users') return id === null || spared.has(id) ? nobody : id
        // The roles that everybody signs in with.
        return id === null || id < 3 ? nobody : id
      },
      careful,
    }
  }
}

/** The folder that an address names: /api/admin/offers/{id} is of `offers`. */
function resourceOf({ path }: Operation): string | null {
  return /^\/(?:api|parcel)\/(?:admin|user|parcel|auth)\/([a-z-]+)/.exec(path)?.[1] ?? null
}
