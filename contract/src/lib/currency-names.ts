/**
 * Names the currencies of a sum that adds amounts without conversion: "USD", "USD + UZS". Empty if all amounts are in the main
 * currency, which sums need not name.
 */
export const nameCurrencies = (codes: readonly string[], mainCurrency: string): string =>
  codes.every((code) => code === mainCurrency) ? '' : codes.join(' + ')
