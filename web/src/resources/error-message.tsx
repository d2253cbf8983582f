import { createContext, useContext, type ReactNode } from 'react'
import { createTranslator } from '../lib/i18n/catalogue.ts'
import { language } from '../lib/i18n/language.ts'
import errors from '../lib/errors.ru.json'
import { getErrorMessage } from '../lib/http.ts'

// With a picked language every text is already translated.
const translate = language === '' ? createTranslator(errors, 'ru') : (text: string) => text

/** The message of an error, in Russian while no language is picked. */
export const getRussianErrorMessage = (error: unknown): string => translate(getErrorMessage(error))

const ErrorMessageContext = createContext(getErrorMessage)

/** Returns a function that gives the message of an error, in the language of the screen. */
export const useErrorMessage = (): ((error: unknown) => string) => useContext(ErrorMessageContext)

/** Shows error messages in Russian while no language is picked. */
export function RussianErrorMessages({ children }: { children: ReactNode }) {
  return <ErrorMessageContext value={getRussianErrorMessage}>{children}</ErrorMessageContext>
}
