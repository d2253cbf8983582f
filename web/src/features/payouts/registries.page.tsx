import { lazy } from 'react'
import { listPaymentRegistries } from '@karvon/contract/payouts/payment-registries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { createRegistryColumns } from './registries.columns.tsx'
import { registryTexts as texts } from './registries.texts.ts'

const RegistryDetail = lazy(async () => ({ default: (await import('./registry-detail.tsx')).RegistryDetail }))

/** The payment registries. A row opens with its file. */
export const PaymentRegistriesPage = logPage({
  call: listPaymentRegistries,
  key: queryKeys.paymentRegistries,
  name: 'payment-registries',
  pageSize: 20,
  texts,
  filters: [
    { name: 'registry_id', formatValue: (id) => `#${id}`, ...texts.filters.one },
    { name: 'currency', formatValue: String, ...texts.filters.currency },
    'period',
  ],
  createColumns: createRegistryColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: ({ id }) => texts.one({ id }),
  renderDetail: (openedRegistry, setOpenedRegistry) => (
    <RegistryDetail registry={openedRegistry} onClose={() => setOpenedRegistry(null)} />
  ),
})
