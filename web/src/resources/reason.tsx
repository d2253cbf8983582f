import { createContext, useContext, type ReactNode } from 'react'
import { translator } from '../lib/i18n/catalogue.ts'
import { language } from '../lib/i18n/language.ts'
import errors from '../lib/errors.ru.json'
import { reasonOf } from '../lib/http.ts'

// Whoever picked a language has every text in it already.
const translate = language === '' ? translator(errors, 'ru') : (text: string) => text

/** Why something failed, on a screen that speaks Russian while no language is picked. */
export const russianReason = (error: unknown): string => translate(reasonOf(error))

const ReasonContext = createContext(reasonOf)

/** What a person is told about a failure, in the language of the screen. */
export const useReason = (): ((error: unknown) => string) => useContext(ReasonContext)

/** A screen that speaks Russian while no language is picked. */
export function RussianReasons({ children }: { children: ReactNode }) {
  return <ReasonContext value={russianReason}>{children}</ReasonContext>
}
