const fullyMaskedLength = 12
const shownCharacters = 4

/** Masks a card or account number except its last digits, and a short text completely. */
export const maskPaymentDetails = (details: string): string =>
  details.length < fullyMaskedLength ? '••••' : `•••• ${details.slice(-shownCharacters)}`

/** Masks the card and account numbers in a text: those of 12 digits and more. */
export const maskPaymentNumbers = (text: string): string =>
  text.replaceAll(/\d(?:[ -]?\d){11,}/g, (digits) => maskPaymentDetails(digits))
