import { lazy, useState } from 'react'
import { LazyDialog } from '../../components/lazy-part.tsx'
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
  const close = () => setIsOpen(false)
  return (
    <>
      <Button tone="primary" icon={<PlusIcon size={17} />} onClick={() => setIsOpen(true)}>
        {texts.open}
      </Button>
      <LazyDialog opened={isOpen} onClose={close}>
        <PayoutTermsForm opened={isOpen} onClose={close} />
      </LazyDialog>
    </>
  )
}
