import { lazy, Suspense, useState } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { useWasOpened } from '../../components/overlay/modal.tsx'
import { sendTexts as texts } from './registries.texts.ts'

const SendDialog = lazy(async () => ({ default: (await import('./send-dialog.tsx')).SendDialog }))

/** Opens the dialog that sends approved withdrawals to the bank. */
export function SendButton() {
  const [isOpen, setIsOpen] = useState(false)
  const wasOpened = useWasOpened(isOpen)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{texts.open}</Button>
      {wasOpened && (
        <Suspense>
          <SendDialog opened={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
