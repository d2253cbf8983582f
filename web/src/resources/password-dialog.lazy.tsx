import { lazy, Suspense, type ComponentProps } from 'react'
import { useWasOpened } from '../components/overlay/modal.tsx'

const DialogCode = lazy(async () => ({ default: (await import('./password-dialog.tsx')).PasswordDialog }))

/** The dialog of the current password. Its code loads when it is opened first. */
export function LazyPasswordDialog(props: ComponentProps<typeof DialogCode>) {
  const wasOpened = useWasOpened(props.prompt !== null)
  return (
    wasOpened && (
      <Suspense>
        <DialogCode {...props} />
      </Suspense>
    )
  )
}
