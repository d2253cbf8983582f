import { lazy, Suspense, useState } from 'react'
import { useWasOpened } from '../../components/overlay/modal.tsx'
import { Button } from '../../components/actions/button.tsx'
import { PlusIcon } from '../../components/actions/icons.tsx'
import { restoreTarget } from '../../lib/session.draft.ts'
import { payoutTermsFormTexts as texts } from './payout-terms.texts.ts'

const PayoutTermsForm = lazy(async () => ({
  default: (await import('./payout-terms-form.tsx')).PayoutTermsForm,
}))

/** Opens the form of new payout terms. */
export function NewPayoutTermsButton() {
  const [isOpen, setIsOpen] = useState(() => restoreTarget('payout-terms') === true)
  const wasOpened = useWasOpened(isOpen)
  return (
    <>
      <Button tone="primary" icon={<PlusIcon size={17} />} onClick={() => setIsOpen(true)}>
        {texts.open}
      </Button>
      {wasOpened && (
        <Suspense>
          <PayoutTermsForm opened={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
