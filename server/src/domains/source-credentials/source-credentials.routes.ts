import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { changesField } from '../../resources/crud.hooks.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { findCurrentHosts, isTokenIssued } from '../connectors/connectors.hosts.ts'
import { databaseNow, dropToken, readStoredSecrets, storeSecretHosts } from './source-credentials.queries.ts'
import { healthSql } from '../syncs/syncs.health.queries.ts'
import { clearAccountState, clearGap } from '../syncs/syncs.queries.ts'

export function sourceCredentialsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: sourceCredentials,
    extraColumns: { health: healthSql('source_credential_id') },
    columnsForSecrets: (changedSecrets) =>
      'token' in changedSecrets ? { token_updated_at: databaseNow } : {},
    afterWrite: async ({ trx, body, oldRow, id }) => {
      await saveSecretHosts(trx, { id, oldRow, hosts: await findCurrentHosts(trx, id) })
      return oldRow === null ? undefined : forgetFormerAccount(trx, { id, body, oldRow })
    },
  })
}

/** What belongs to the account at the network: a credential with another value has another account. */
type AccountKey = 'source_id' | 'login'

/**
 * Forgets what is of the former account, if a change gives the credential another source or another login: the balance
 * that was read, the gap, the failures with their pause, and the token that the network issued to the former login. A
 * pause that the network requires stays with another login, because the network may count requests by our address. Answers
 * the former gap for the audit log.
 */
async function forgetFormerAccount(
  trx: Db,
  change: { id: number; body: Partial<Record<AccountKey, unknown>>; oldRow: Record<string, unknown> },
): Promise<{ oldValues: Record<string, unknown>; newValues: Record<string, unknown> } | undefined> {
  const { id, oldRow } = change
  if (!changesField(change, 'source_id', 'login')) return undefined
  await clearAccountState(trx, {
    column: 'source_credential_id',
    account: id,
    keepsRequiredPause: !changesField(change, 'source_id'),
  })
  const { token } = await readStoredSecrets(trx, id)
  if (changesField(change, 'login') && token === oldRow['token'] && (await isTokenIssued(trx, id)))
    await dropToken(trx, id)
  const { rows } = await clearGap(trx, id)
  const gap = rows[0]
  return gap === undefined || gap.gap_from === null
    ? undefined
    : { oldValues: { ...gap }, newValues: { gap_from: null, gap_to: null } }
}

const secretKeys = ['pass', 'api_key', 'token'] as const

/**
 * Stores the hosts that may receive the secrets after secrets are typed. For new hosts, every secret must be typed
 * again: the new hosts must not receive a stored secret. Errors: 422 for the missing secrets.
 */
async function saveSecretHosts(
  trx: Db,
  { id, oldRow, hosts }: { id: number; oldRow: Record<string, unknown> | null; hosts: string[] | null },
): Promise<void> {
  const row = await readStoredSecrets(trx, id)
  const storedSecrets = secretKeys.filter((key) => row[key] !== null)
  const unchangedSecrets = storedSecrets.filter((key) => row[key] === oldRow?.[key])
  if (unchangedSecrets.length === storedSecrets.length) return
  const before = row.secret_hosts
  if (before !== null && hosts?.every((host) => before.includes(host)) === true) return
  // The token may be missing: the network issues a new one at the next sign-in.
  const missingSecrets = before === null ? [] : unchangedSecrets.filter((key) => key !== 'token')
  if (missingSecrets.length > 0) {
    // The new hosts are not known. The stored ones stay.
    if (hosts === null) return
    const params = { hosts: before?.join(', ') ?? '' }
    throw invalid(missingSecrets.map((field) => fieldError(field, 'secret_for_other_hosts', params)))
  }
  const dropsToken = before !== null && unchangedSecrets.includes('token')
  await storeSecretHosts(trx, id, { hosts, dropsToken })
}
