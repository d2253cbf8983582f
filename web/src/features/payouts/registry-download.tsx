import { listRegistryPayments } from '@karvon/contract/payouts/payment-registries.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { exportTexts } from '../../resources/exports/export.texts.ts'
import { registryTexts } from './registries.texts.ts'

const texts = { ...exportTexts, open: registryTexts.download }

/** Downloads the payments of a registry with their payment details, for the bank. */
export const RegistryDownload = ({ id }: { id: number }) => (
  <ExportMenu
    call={listRegistryPayments}
    params={{ id }}
    query={{}}
    name={`payment-registry-${id}`}
    texts={texts}
  />
)
