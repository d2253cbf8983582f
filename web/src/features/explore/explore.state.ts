import { exploreDefaults } from '@karvon/contract/explore/explore.address.ts'
import { dimensionNames } from '@karvon/contract/explore/explore.dimensions.ts'
import type { TableSpec } from '../../lib/table-state.ts'

/** The state of the page in the address. */
export const exploreSpec: TableSpec = {
  pageSize: 200,
  filters: [
    'rows',
    'columns',
    'metrics',
    'period',
    'from',
    'to',
    'compare',
    'top',
    'view',
    'without',
    ...dimensionNames,
  ],
  defaults: exploreDefaults,
}
