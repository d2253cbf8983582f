import { lazy, Suspense, useState } from 'react'
import { useWasOpened } from '../../components/overlay/modal.tsx'
import { Button } from '../../components/actions/button.tsx'
import { EditIcon } from '../../components/actions/icons.tsx'
import { restoreTarget } from '../../lib/session.draft.ts'
import { adjustmentTexts as texts } from './ledger.texts.ts'

const AdjustForm = lazy(async () => ({ default: (await import('./adjust-form.tsx')).AdjustForm }))

/** Opens the form that corrects the balance of an account. */
export function AdjustButton() {
  const [isOpen, setIsOpen] = useState(() => restoreTarget('adjustment') === true)
  const wasOpened = useWasOpened(isOpen)
  return (
    <>
      <Button icon={<EditIcon size={17} />} onClick={() => setIsOpen(true)}>
        {texts.open}
      </Button>
      {wasOpened && (
        <Suspense>
          <AdjustForm opened={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
