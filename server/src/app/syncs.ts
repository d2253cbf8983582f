import { networkSync } from '../connectors/connectors.fetch.ts'
import { networkSend } from '../connectors/connectors.send.ts'
import { courierSync } from '../courier-accounts/courier-accounts.fetch.ts'
import { courierPost } from '../courier-accounts/courier-accounts.send.ts'
import type { Deps } from '../kit/deps.ts'
import type { SyncKind } from '../kit/syncs/syncs.kind.ts'
import { takeIn } from '../leads/leads.intake.ts'
import { courierState } from '../parcels/parcels.codes.ts'
import { takeParcels } from './parcel-leads.ts'

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
