import { lazy, type ComponentProps } from 'react'
import { LazyDialog } from '../components/lazy-part.tsx'

const DialogCode = lazy(async () => ({ default: (await import('./password-dialog.tsx')).PasswordDialog }))

/** The dialog of the current password. Its code loads when it is opened first. */
export function LazyPasswordDialog(props: ComponentProps<typeof DialogCode>) {
  return (
    <LazyDialog opened={props.prompt !== null} onClose={props.onClose}>
      <DialogCode {...props} />
    </LazyDialog>
  )
}
