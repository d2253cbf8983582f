import { networkSync } from '../connectors/connectors.fetch.ts'
import { networkSend } from '../connectors/connectors.send.ts'
import type { Deps } from '../kit/deps.ts'
import type { SyncKind } from '../kit/syncs/syncs.kind.ts'
import { takeIn } from '../leads/leads.intake.ts'

/** What Karvon fetches by itself. */
export function syncKinds({ db, seal, config, outgoing }: Deps): SyncKind[] {
  return [
    networkSync({
      db,
      seal,
      currency: config.currency,
      take: takeIn,
      send: (signal) => networkSend(outgoing, signal),
    }),
  ]
}
