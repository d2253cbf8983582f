import { networkSync } from '../domains/connectors/connectors.fetch.ts'
import { networkSend } from '../domains/connectors/connectors.send.ts'
import { courierSync } from '../domains/courier-accounts/courier-accounts.fetch.ts'
import { courierPost } from '../domains/courier-accounts/courier-accounts.send.ts'
import type { Deps } from '../platform/deps.ts'
import type { SyncKind } from '../domains/syncs/syncs.kind.ts'
import { takeIn } from '../domains/leads/leads.intake.ts'
import { courierState } from '../domains/parcels/parcels.codes.ts'
import { takeParcels } from '../domains/parcels/parcel-leads.ts'

/** What Karvon fetches by itself. `hurry` leaves out the pauses that the other sides ask for. */
export function syncKinds({ db, seal, config, outgoing }: Deps, hurry = false): SyncKind[] {
  return [
    networkSync({
      db,
      seal,
      currency: config.currency,
      take: takeIn,
      send: (signal) => networkSend(outgoing, signal),
    }),
    courierSync(
      {
        db,
        seal,
        stateOf: courierState,
        take: takeParcels,
        post: (signal) => courierPost(outgoing, signal),
      },
      ...(hurry ? ([0] as const) : []),
    ),
  ]
}
