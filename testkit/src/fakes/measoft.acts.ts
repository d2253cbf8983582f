/** A settlement act, with the vendor's names of its elements. Amounts have a dot and two decimals, days are yyyy-mm-dd. */
export interface FakeAct {
  code: string
  number: string
  actdate: string
  /** Empty until the act is paid. */
  datepay?: string
  pricecorr?: string
  paytype?: string
  signedcopyreceived?: 'YES' | 'NO'
  lines: FakeActLine[]
  /** An invalid answer that is sent instead of the lines. */
  badAnswer?: string
}

/** A line of an act. `price` and `pricecalc` are computed unless given. */
export interface FakeActLine {
  code: string
  orderno: string
  delivereddate?: string
  rur: string
  pricekur: string
  priceag: string
  price?: string
  pricecalc?: string
  paytype?: string
  status?: string
}

const toTiyin = (text: string) => Math.round(Number(text) * 100)
const toText = (tiyin: number) => (tiyin / 100).toFixed(2)

const completeLine = (line: FakeActLine) => {
  const price = line.price ?? toText(toTiyin(line.pricekur) + toTiyin(line.priceag))
  const pricecalc = line.pricecalc ?? toText(toTiyin(line.rur) - toTiyin(price))
  return { paytype: 'CASH', status: 'Доставлен', ordercode: `1${line.code}`, ...line, price, pricecalc }
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function elementXml(name: string, values: object, missing: ReadonlySet<string>): string {
  const children = Object.entries(values)
    .filter(([key, value]) => typeof value === 'string' && !missing.has(key))
    .map(([key, value]) => `<${key}>${escapeXml(String(value))}</${key}>`)
  return `<${name}>${children.join('')}</${name}>`
}

/** The answer to `smalist`: the acts of a period. `missing` has the names of elements that the server leaves out. */
export function actListXml(
  acts: Iterable<FakeAct>,
  { from, to }: { from: string; to: string },
  missing: ReadonlySet<string>,
): string {
  const rows = [...acts].filter(({ actdate }) => actdate >= from && actdate <= to)
  const xml = rows.map(({ lines, ...act }) => {
    const complete = lines.map(completeLine)
    const sum = (key: 'rur' | 'price' | 'pricekur') =>
      toText(complete.reduce((total, line) => total + toTiyin(line[key]), 0))
    const sums = { rur: sum('rur'), price: sum('price'), pricekur: sum('pricekur'), pricecorr: '0.00' }
    return elementXml(
      'sma',
      { datepay: '', paytype: 'CASH', signedcopyreceived: 'NO', ...sums, ...act, badAnswer: undefined },
      missing,
    )
  })
  return `<smalist count="${rows.length}">${xml.join('')}</smalist>`
}

/** The answer to `smadetail`: the lines of an act. */
export function actLinesXml(act: FakeAct | undefined, missing: ReadonlySet<string>): string {
  if (act?.badAnswer !== undefined) return act.badAnswer
  const lines = act?.lines ?? []
  const xml = lines.map((line) => elementXml('specialsma', completeLine(line), missing))
  return `<smadetail count="${lines.length}">${xml.join('')}</smadetail>`
}
