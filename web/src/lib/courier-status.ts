import { getText } from './i18n/language.ts'

/** A status title of the courier in the picked language. A title that the catalogue lacks stays unchanged. */
export const translateCourierStatus = (title: string | null | undefined): string =>
  title ? getText(`courierStatus.${title}`, title) : ''
