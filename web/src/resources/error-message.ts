import { createContext, useContext } from 'react'
import { getErrorMessage } from '../lib/http.ts'

/** How the screen words an error. Default: in the picked language, in English for the mix. */
export const ErrorMessageContext = createContext(getErrorMessage)

/** Returns a function that gives the message of an error, in the language of the screen. */
export const useErrorMessage = (): ((error: unknown) => string) => useContext(ErrorMessageContext)
