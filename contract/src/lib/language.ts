import { Type } from 'typebox'

/** The languages of notices, mails and answers of the bot. */
export const personLanguages = ['ru', 'uz', 'en'] as const
export type PersonLanguage = (typeof personLanguages)[number]

/** Null: the person chose none and gets Russian. */
export const NullablePersonLanguage = Type.Union([
  Type.Literal('ru'),
  Type.Literal('uz'),
  Type.Literal('en'),
  Type.Null(),
])
