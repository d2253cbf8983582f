import { lazy, Suspense, useState, type ComponentProps } from 'react'

const DialogCode = lazy(async () => ({ default: (await import('./password-dialog.tsx')).PasswordDialog }))

/** The dialog of the current password. Its code loads when it is opened first. */
export function LazyPasswordDialog(props: ComponentProps<typeof DialogCode>) {
  const [isUsed, setIsUsed] = useState(false)
  if (props.prompt !== null && !isUsed) setIsUsed(true)
  return (
    isUsed && (
      <Suspense>
        <DialogCode {...props} />
      </Suspense>
    )
  )
}
