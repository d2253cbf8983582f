import { lazy, useState } from 'react'
import { LazyDialog } from '../../components/lazy-part.tsx'
import { Button } from '../../components/actions/button.tsx'
import { EditIcon } from '../../components/actions/icons.tsx'
import { restoreTarget } from '../../lib/session.draft.ts'
import { adjustmentTexts as texts } from './ledger.texts.ts'

const AdjustForm = lazy(async () => ({ default: (await import('./adjust-form.tsx')).AdjustForm }))

/** Opens the form that corrects the balance of an account. */
export function AdjustButton() {
  const [isOpen, setIsOpen] = useState(() => restoreTarget('adjustment') === true)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button icon={<EditIcon size={17} />} onClick={() => setIsOpen(true)}>
        {texts.open}
      </Button>
      <LazyDialog opened={isOpen} onClose={close}>
        <AdjustForm opened={isOpen} onClose={close} />
      </LazyDialog>
    </>
  )
}
