import { Link } from '@tanstack/react-router'
import type { PaymentRegistry } from '@karvon/contract/payouts/payment-registries.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import classes from './payouts.module.css'
import { RegistryDownload } from './registry-download.tsx'
import { registryTexts as texts } from './registries.texts.ts'

type RegistryDetailProps = { registry: PaymentRegistry | null; onClose: () => void }

/** A payment registry, with its file as long as a payment waits for the bank. */
export function RegistryDetail({ registry, onClose }: RegistryDetailProps) {
  return (
    <Modal
      opened={registry !== null}
      title={registry ? texts.one({ id: registry.id }) : ''}
      onClose={onClose}
    >
      {registry && <RegistryFacts registry={registry} />}
    </Modal>
  )
}

function RegistryFacts({ registry }: { registry: PaymentRegistry }) {
  const { time_zone: zone } = useSettings()
  const { columns } = texts
  return (
    <div className={classes.steps}>
      <Facts
        facts={[
          { name: columns.amount, value: formatAmount(registry.amount, registry.currency) },
          { name: columns.created_at, value: formatDateTime(registry.created_at, zone) },
          { name: columns.created_by, value: registry.created_by.name },
          {
            name: columns.payments,
            value: (
              <>
                {formatNumber(registry.payments)}{' '}
                <Link to="/settlements" search={{ registry_id: String(registry.id) }}>
                  {texts.showWithdrawals}
                </Link>
              </>
            ),
          },
          { name: columns.sent, value: formatNumber(registry.sent) },
          { name: columns.paid, value: formatNumber(registry.paid) },
          { name: columns.refused, value: formatNumber(registry.refused) },
        ]}
      />
      {registry.sent > 0 ? (
        <div className={classes.decisions}>
          <RegistryDownload id={registry.id} />
        </div>
      ) : (
        <p>{texts.complete}</p>
      )}
    </div>
  )
}
