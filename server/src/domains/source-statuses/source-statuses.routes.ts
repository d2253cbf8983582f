import { sourceStatuses } from '@karvon/contract/source-statuses/source-statuses.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { changeLeadStates } from '../leads/lead-states.ts'
import { deciding, remapWords, type Mapping } from './source-statuses.remaps.ts'

/** `followed` runs after the commit of a change: it brings along the leads that the change has remapped. */
export function sourceStatusesRoutes(
  app: FastifyInstance,
  deps: Deps,
  followed: (deps: Deps) => Promise<void>,
): void {
  crud(app, deps, sourceStatuses, {
    lock: changeLeadStates,
    written: async ({ trx, id, old }) => {
      const now = await trx
        .selectFrom('source_statuses')
        .select(deciding)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (old === null) await remapWords(trx, [now])
      else if (deciding.some((key) => old[key] !== now[key])) await remapWords(trx, [mappingOf(old), now])
      return undefined
    },
    removing: (trx, row) => remapWords(trx, [mappingOf(row)]),
    committed: () => followed(deps),
  })
}

/** A row of the table, as its JSON has it. */
const mappingOf = (row: Record<string, unknown>) => row as unknown as Mapping
