import { lazy, useState } from 'react'
import { LazyDialog } from '../../components/lazy-part.tsx'
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
  const close = () => setIsOpen(false)
  return (
    <>
      <Button tone="primary" icon={<CheckIcon size={17} />} onClick={() => setIsOpen(true)}>
        {texts.close}
      </Button>
      <LazyDialog opened={isOpen} onClose={close}>
        <ClosePeriodForm opened={isOpen} onClose={close} />
      </LazyDialog>
    </>
  )
}
