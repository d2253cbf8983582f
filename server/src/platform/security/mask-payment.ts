const fullyMaskedLength = 12
const shownCharacters = 4

/** Masks a card or account number except its end, and a short text completely. */
export const maskPaymentDetails = (details: string): string =>
  details.length < fullyMaskedLength ? '••••' : `•••• ${details.slice(-shownCharacters)}`

/** Masks the numbers of 12 digits and more in a text: cards and accounts. */
export const maskPaymentNumbers = (text: string): string =>
  text.replaceAll(/\d(?:[ -]?\d){11,}/g, (digits) => maskPaymentDetails(digits))
