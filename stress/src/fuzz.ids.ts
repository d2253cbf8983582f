import fc from 'fast-check'
import type { KnownIds } from './fuzz.attack.ts'
import type { Operation } from './fuzz.operations.ts'

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

const maxIds = 200

const unknownId = 999_999

/** Whether the operation could change the people who send attacks. */
const mayChangeSenders = (operation: Operation) =>
  operation.method !== 'GET' && ['users', 'roles'].includes(getResource(operation) ?? '')

/** Stores the ids in answers, so that attacks reach existing rows. */
export class IdStore {
  readonly #known = new Map<string, number[]>()

  /** Stores the ids of a list or of a new row. */
  learn(operation: Operation, body: unknown): void {
    const resource = getResource(operation)
    if (resource === null || typeof body !== 'object' || body === null) return
    const rows = 'items' in body && Array.isArray(body.items) ? (body.items as unknown[]) : [body]
    const knownIds = this.#known.get(resource) ?? []
    for (const row of rows) {
      if (typeof row !== 'object' || row === null || !('id' in row) || typeof row.id !== 'number') continue
      if (!knownIds.includes(row.id)) knownIds.push(row.id)
    }
    // The newest rows are the most likely to exist still.
    this.#known.set(resource, knownIds.slice(-maxIds))
  }

  /**
   * Ids as arbitraries. The seed gives the position in the list of known ids, and the answers of the run give the list.
   * `protectedIds` are people whom no attack may change.
   */
  arbitraries(protectedIds: ReadonlySet<number>): KnownIds {
    const arbitraryIdOf = (resource: string | null | undefined): fc.Arbitrary<number | null> =>
      typeof resource !== 'string'
        ? fc.constant(null)
        : fc.noBias(fc.nat(maxIds - 1)).map((place) => {
            const knownIds = this.#known.get(resource) ?? []
            return knownIds[place % knownIds.length] ?? null
          })
    return {
      ofField: (field) => arbitraryIdOf(fields[field]),
      ofPath: (operation) => {
        const resource = getResource(operation)
        const id = arbitraryIdOf(resource)
        if (!mayChangeSenders(operation)) return id
        // The first two roles are the built-in ones.
        const isProtected = (value: number) => (resource === 'users' ? protectedIds.has(value) : value < 3)
        return id.map((value) => (value === null || isProtected(value) ? unknownId : value))
      },
      mayChangeSenders,
    }
  }
}

/** The resource of a path: `offers` for /api/admin/offers/{id}. */
function getResource({ path }: Operation): string | null {
  return /^\/(?:api|parcel)\/(?:admin|user|parcel|auth)\/([a-z-]+)/.exec(path)?.[1] ?? null
}
