import { apostrophe } from '@karvon/contract/lib/apostrophes.ts'
import { valueFault } from '@karvon/contract/lib/field-messages.ts'
import { normalizeSpelling } from '@karvon/contract/lib/trim-text.ts'
import { payTypes, type PayType } from '@karvon/contract/parcels/parcels.ts'
import type { CellResult } from '../../platform/spreadsheets/spreadsheets.values.ts'

/** What files write for a pay type, in English, Russian, and Uzbek in Latin and Cyrillic script. */
const wordings: Readonly<Record<PayType, string>> = {
  CASH: 'cash, наличные, наличными, нал, naqd, naqd pul, нақд, нақд пул',
  CARD: 'card, by card, карта, картой, банковская карта, karta, karta orqali, plastik, карта орқали, пластик',
  NO: 'no, none, prepaid, paid, нет, без оплаты, предоплата, оплачено, оплачен, toʻlangan, тўланган',
  OTHER: 'other, другое, другой, прочее, boshqa, бошқа',
  OPTION: 'option, any, на выбор, на выбор получателя, любой, tanlov, tanlov boʻyicha, танлов бўйича',
}

const normalize = (text: string) =>
  normalizeSpelling(text).toLowerCase().replaceAll('ё', 'е').replaceAll(apostrophe, '')

const payTypeByText = new Map(
  payTypes.flatMap((type) => wordings[type].split(', ').map((text) => [normalize(text), type] as const)),
)

/** Parses a pay type: a code of the courier, or what people write for it, in upper or lower case. */
export function parsePayType(text: string): CellResult<PayType> {
  const value = payTypeByText.get(normalize(text))
  return value === undefined ? { fault: valueFault('unknown_pay_type') } : { value }
}
