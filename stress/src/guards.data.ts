import { defineGuards, type Guard } from './guards.define.ts'

const scope = 'src/app/access.scope.test.ts'

/** Guards of ownership, secrets and the audit log. */
export const dataGuards: readonly Guard[] = [
  ...defineGuards('server/src/domains/parcels/parcels.queries.ts', scope, [
    [
      'a person lists own parcels alone',
      "if (!person.isAdmin) where.and('p.owner_id = ?', person.userId)",
      "if (!person.isAdmin) where.and('p.owner_id <> ?', -1)",
    ],
    [
      'a person adds notes to own parcels alone',
      'or owner_id = ${ownerId}) for no key update',
      'or owner_id > 0) for no key update',
    ],
  ]),
  ...defineGuards('server/src/domains/parcels/parcels.routes.ts', scope, [
    [
      'a person reads own parcels alone',
      'person.isAdmin ? null : person.userId',
      'person.isAdmin ? null : null',
    ],
  ]),
  ...defineGuards('server/src/domains/rollups/rollups.queries.ts', scope, [
    [
      'a person sees leads of own streams alone',
      'where user_id = ${parameters.addParameter(viewer.userId)})\n',
      'where user_id >= -${parameters.addParameter(viewer.userId)}::bigint)\n',
    ],
    [
      "a person sees leads of the role's sources alone",
      'where role_id = ${parameters.addParameter(roleId)})',
      'where role_id >= -${parameters.addParameter(roleId)}::bigint)',
    ],
    [
      "a person's report has own leads alone",
      "viewer === null ? [] : [ownLeadCondition(parameters, 'f', viewer)]",
      '[]',
    ],
  ]),
  ...defineGuards('server/src/domains/leads/leads.queries.ts', scope, [
    [
      'a person reads own leads alone',
      "viewer === null ? where : where.and(ownLeadCondition(where, 'l', viewer))",
      'where',
    ],
  ]),
  ...defineGuards('server/src/domains/leads/leads.list.queries.ts', scope, [
    [
      'a person lists own leads alone',
      "if (viewer !== null) where.and(ownLeadCondition(where, 'l', viewer))",
      '',
    ],
  ]),
  ...defineGuards('server/src/domains/reports/reports.queries.ts', scope, [
    [
      "a network's balance is for its owner alone",
      'and k.user_id = ${where.addParameter(viewer.userId)}',
      'and k.user_id >= -${where.addParameter(viewer.userId)}::bigint',
    ],
  ]),
  ...defineGuards('server/src/resources/crud.secrets.ts', 'src/app/canary.test.ts', [
    [
      'secrets are masked in answers',
      'maskedRow[key] = this.#mask(row[key], Number(row.id), key)',
      'maskedRow[key] = row[key]',
    ],
  ]),
  ...defineGuards(
    'server/src/resources/crud.secrets.ts',
    'src/domains/source-credentials/source-credentials.test.ts',
    [
      [
        'a saved mask does not replace the secret',
        'if (mask !== null && [mask, trimText(mask)].includes(value)) continue',
        '',
      ],
    ],
  ),
  ...defineGuards('server/src/platform/security/encryption.ts', 'src/platform/security/encryption.test.ts', [
    [
      'an encrypted secret decrypts in its own row alone',
      "[formatVersion, keyId, table, row, column].join('/')",
      "[formatVersion, keyId, table, column].join('/')",
    ],
  ]),
  ...defineGuards('server/src/resources/crud.write.ts', 'src/app/canary.test.ts', [
    [
      'the audit log holds no secret',
      "return (kind === 'secret' || kind === 'password') && (value ?? null) !== null ? '…' : (value ?? null)",
      'return kind === null ? null : (value ?? null)',
    ],
  ]),
  ...defineGuards('server/src/resources/crud.write.ts', 'src/domains/audit/audit.test.ts', [
    [
      'a change is in the audit log',
      'if (Object.keys(after).length === 0 && !extraValues) return',
      'if (Object.keys(after).length >= 0) return',
    ],
  ]),
  ...defineGuards('server/src/resources/crud.write.ts', 'src/platform/database/conflict.test.ts', [
    [
      'a change of an older version is refused',
      'coalesce(updated_at = ${expectedUpdatedAt ?? null}::timestamptz, true) as is_same_version',
      'coalesce(updated_at <= ${expectedUpdatedAt ?? null}::timestamptz or true, true) as is_same_version',
    ],
  ]),
  ...defineGuards(
    'server/src/domains/leads/leads.ingest.queries.ts',
    'src/domains/leads/leads.ingest-order.full.test.ts',
    [
      [
        'an older state does not change a lead',
        '(${inputStateOrder}) > (${knownStateOrder}) as is_newer',
        '(${inputStateOrder}) <> (${knownStateOrder}) as is_newer',
      ],
    ],
  ),
  ...defineGuards('server/src/platform/http/idempotency.ts', 'src/platform/http/idempotency.test.ts', [
    [
      'a repeated request is not executed again',
      'if (keyRow !== undefined) return this.#handleExistingKey(keyRow)\n    if (!this.#request.isRepeatable)',
      'if (keyRow === null) return this.#handleExistingKey(keyRow)\n    if (!this.#request.isRepeatable)',
    ],
    [
      'an idempotency key belongs to one request',
      'this.#fingerprint === null || !keyRow.fingerprint.equals(this.#fingerprint)',
      'this.#fingerprint === null',
    ],
  ]),
]
