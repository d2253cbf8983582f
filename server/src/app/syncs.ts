import { createNetworkSync } from '../domains/connectors/connectors.sync.ts'
import { createCourierSync } from '../domains/courier-accounts/courier-accounts.sync.ts'
import type { Deps } from '../platform/deps.ts'
import type { SyncKind } from '../domains/syncs/syncs.kind.ts'

/** The kinds of accounts that Karvon syncs. `skipPauses` removes the pause between requests to the courier. */
export function syncKinds(deps: Deps, skipPauses = false): SyncKind[] {
  return [createNetworkSync(deps), skipPauses ? createCourierSync(deps, 0) : createCourierSync(deps)]
}
