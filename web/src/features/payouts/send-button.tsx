import { lazy, useState } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { LazyDialog } from '../../components/lazy-part.tsx'
import { sendTexts as texts } from './registries.texts.ts'

const SendDialog = lazy(async () => ({ default: (await import('./send-dialog.tsx')).SendDialog }))

/** Opens the dialog that sends approved withdrawals to the bank. */
export function SendButton() {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{texts.open}</Button>
      <LazyDialog opened={isOpen} onClose={close}>
        <SendDialog opened={isOpen} onClose={close} />
      </LazyDialog>
    </>
  )
}
