import { type ReactNode, useEffect, useState } from 'react'
import { getErrorMessage } from '../lib/http.ts'
import { ErrorMessageContext } from './error-message.ts'

const loadMessages = async () => (await import('./russian-errors.ts')).getRussianErrorMessage

/**
 * Shows error messages in Russian while no language is picked. Only Russian screens load these messages: when a person
 * first uses the screen, or when an error is to be shown.
 */
export function RussianErrorMessages({ children }: { children: ReactNode }) {
  const [isNeeded, setIsNeeded] = useState(false)
  const [getMessage, setGetMessage] = useState<typeof getErrorMessage | null>(null)
  useEffect(() => {
    const need = () => setIsNeeded(true)
    const events = ['pointerdown', 'keydown'] as const
    for (const event of events) window.addEventListener(event, need, { once: true, passive: true })
    return () => {
      for (const event of events) window.removeEventListener(event, need)
    }
  }, [])
  useEffect(() => {
    // On failure the messages are those of other screens.
    if (isNeeded)
      void loadMessages().then(
        (getLoadedMessage) => setGetMessage(() => getLoadedMessage),
        () => undefined,
      )
  }, [isNeeded])
  const getMessageMeanwhile = (error: unknown) => {
    queueMicrotask(() => setIsNeeded(true))
    return getErrorMessage(error)
  }
  return <ErrorMessageContext value={getMessage ?? getMessageMeanwhile}>{children}</ErrorMessageContext>
}
