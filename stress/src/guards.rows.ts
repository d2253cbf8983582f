import { guardsOf, type Guard } from './guards.guard.ts'

const scope = 'src/app/access.scope.test.ts'

/** Whose rows are whose, what is kept of a secret, and what a change must leave behind. */
export const guardsOfRows: readonly Guard[] = [
  ...guardsOf('server/src/domains/parcels/parcels.queries.ts', scope, [
    [
      'the list has own parcels',
      "if (!person.isAdmin) where.and('p.owner_id = ?', person.userId)",
      "if (!person.isAdmin) where.and('p.owner_id <> ?', -1)",
    ],
    [
      'a note goes on an own parcel',
      'where id = $1 and ($2::bigint is null or owner_id = $2)\n  for no key update',
      'where id = $1 and ($2::bigint is null or owner_id > 0)\n  for no key update',
    ],
  ]),
  ...guardsOf('server/src/domains/parcels/parcels.routes.ts', scope, [
    ['one parcel is an own one', 'person.isAdmin ? null : person.userId', 'person.isAdmin ? null : null'],
  ]),
  ...guardsOf('server/src/domains/rollups/rollups.queries.ts', scope, [
    [
      'leads are of own streams',
      'where user_id = ${parameters.addParameter(viewer.userId)})\n',
      'where user_id >= -${parameters.addParameter(viewer.userId)}::bigint)\n',
    ],
    [
      'leads are of sources that the role sees',
      'where role_id = ${parameters.addParameter(roleId)})',
      'where role_id >= -${parameters.addParameter(roleId)}::bigint)',
    ],
    ['a report is one’s own', "viewer === null ? [] : [ownLeadCondition(parameters, 'f', viewer)]", '[]'],
  ]),
  ...guardsOf('server/src/domains/leads/leads.queries.ts', scope, [
    [
      'one lead is an own one',
      "viewer === null ? where : where.and(ownLeadCondition(where, 'l', viewer))",
      'where',
    ],
  ]),
  ...guardsOf('server/src/domains/leads/leads.list.queries.ts', scope, [
    ['the list has own leads', "if (viewer !== null) where.and(ownLeadCondition(where, 'l', viewer))", ''],
  ]),
  ...guardsOf('server/src/domains/reports/reports.queries.ts', scope, [
    [
      'a network’s money is its owner’s',
      'and k.user_id = ${where.addParameter(viewer.userId)}',
      'and k.user_id >= -${where.addParameter(viewer.userId)}::bigint',
    ],
  ]),
  ...guardsOf('server/src/resources/crud.secrets.ts', 'src/app/canary.test.ts', [
    [
      'secrets come masked',
      'masked[key] = this.#mask(row[key], Number(row.id), key)',
      'masked[key] = row[key]',
    ],
  ]),
  ...guardsOf(
    'server/src/resources/crud.secrets.ts',
    'src/domains/source-credentials/source-credentials.test.ts',
    [
      [
        'a mask is no new secret',
        'if (old !== null && value === this.#mask(old[key], id, key)) continue',
        '',
      ],
    ],
  ),
  ...guardsOf('server/src/platform/security/encryption.ts', 'src/platform/security/encryption.test.ts', [
    [
      'a sealed secret opens at its row alone',
      "[VERSION, keyId, table, row, column].join('/')",
      "[VERSION, keyId, table, column].join('/')",
    ],
  ]),
  ...guardsOf('server/src/resources/crud.write.ts', 'src/app/canary.test.ts', [
    [
      'the audit log holds no secret',
      "return (kind === 'secret' || kind === 'password') && (value ?? null) !== null ? '…' : (value ?? null)",
      'return kind === null ? null : (value ?? null)',
    ],
  ]),
  ...guardsOf('server/src/resources/crud.write.ts', 'src/domains/audit/audit.test.ts', [
    [
      'a change is in the audit log',
      'if (Object.keys(after).length === 0 && !extraValues) return',
      'if (Object.keys(after).length >= 0) return',
    ],
  ]),
  ...guardsOf('server/src/resources/crud.write.ts', 'src/platform/database/conflict.test.ts', [
    [
      'a change of an old row is refused',
      'coalesce(updated_at = ${expectedUpdatedAt ?? null}::timestamptz, true) as is_same_version',
      'coalesce(updated_at <= ${expectedUpdatedAt ?? null}::timestamptz or true, true) as is_same_version',
    ],
  ]),
  ...guardsOf(
    'server/src/domains/leads/leads.ingest.queries.ts',
    'src/domains/leads/leads.ingest-order.test.ts',
    [
      [
        'a lead is never moved back',
        "(${stateOrder('f')}) > (${stateOrder('k')}) as newer",
        "(${stateOrder('f')}) <> (${stateOrder('k')}) as newer",
      ],
    ],
  ),
  ...guardsOf('server/src/platform/http/idempotency.ts', 'src/platform/http/idempotency.test.ts', [
    [
      'what was done is not done again',
      'if (existing !== undefined) return this.#handleExistingKey(existing)\n    if (!this.#request.isRepeatable)',
      'if (existing === null) return this.#handleExistingKey(existing)\n    if (!this.#request.isRepeatable)',
    ],
    [
      'a key is for one request',
      'this.#fingerprint === null || !existing.fingerprint.equals(this.#fingerprint)',
      'this.#fingerprint === null',
    ],
  ]),
]
