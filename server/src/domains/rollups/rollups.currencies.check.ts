import { formatCount, type Check } from '../../platform/database/check.ts'
import { countMissingCurrencies } from './rollups.check.queries.ts'

/** Finds leads whose currency is not among those that reports name. */
export const currenciesCheck: Check = {
  name: 'currencies of leads',
  async run(client) {
    const { stored, missing } = await countMissingCurrencies(client)
    return {
      summary: formatCount(stored, 'row'),
      faults: missing === 0 ? [] : [`lead_currencies lacks ${formatCount(missing, 'row')}.`],
    }
  },
}
