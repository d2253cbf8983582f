import { lazy, Suspense, useState } from 'react'
import { useWasOpened } from '../../components/overlay/modal.tsx'
import { Button } from '../../components/actions/button.tsx'
import { CheckIcon } from '../../components/actions/icons.tsx'
import { restoreTarget } from '../../lib/session.draft.ts'
import { statementTexts as texts } from './statements.texts.ts'

const ClosePeriodForm = lazy(async () => ({
  default: (await import('./close-period-form.tsx')).ClosePeriodForm,
}))

/** Opens the form that closes a period of a person's account. */
export function ClosePeriodButton() {
  const [isOpen, setIsOpen] = useState(() => restoreTarget('close-period') === true)
  const wasOpened = useWasOpened(isOpen)
  return (
    <>
      <Button tone="primary" icon={<CheckIcon size={17} />} onClick={() => setIsOpen(true)}>
        {texts.close}
      </Button>
      {wasOpened && (
        <Suspense>
          <ClosePeriodForm opened={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
