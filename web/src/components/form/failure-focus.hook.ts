import { type RefObject, useEffect, useState } from 'react'

/** Returns a function that moves the focus to the first field with an error, else to the message, once they are shown. */
export function useFailureFocus(form: RefObject<HTMLElement | null>): () => void {
  // Counts failed submits.
  const [failureCount, setFailureCount] = useState(0)
  useEffect(() => {
    if (failureCount === 0) return
    const firstFault = form.current?.querySelector<HTMLElement>(
      '[aria-invalid]:is(input,textarea),[aria-invalid] input',
    )
    const target = firstFault ?? form.current?.querySelector<HTMLElement>('[role=alert]')
    target?.focus()
  }, [failureCount, form])
  return () => setFailureCount((count) => count + 1)
}
