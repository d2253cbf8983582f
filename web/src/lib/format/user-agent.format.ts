/** Products that name a browser, the most specific first: Edge and Opera also name Chrome, and Chrome names Safari. */
const browsers: readonly (readonly [name: string, product: RegExp])[] = [
  ['Edge', /\b(?:Edg|EdgA|EdgiOS)\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Yandex Browser', /\bYaBrowser\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
]

/** Words that name a system, the most specific first: Android also names Linux, and iOS names Mac OS X. */
const systems: readonly (readonly [name: string, word: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPod)\b/],
  ['iPadOS', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
]

/** A User-Agent header as browser and system: `Chrome 141, Windows`. An unknown header is returned unchanged. */
export function formatUserAgent(userAgent: string): string {
  const browser = browsers.flatMap(([name, product]) => {
    const version = product.exec(userAgent)?.[1]
    return version === undefined ? [] : [`${name} ${version}`]
  })[0]
  const system = systems.find(([, word]) => word.test(userAgent))?.[0]
  if (browser === undefined) return userAgent
  return system === undefined ? browser : `${browser}, ${system}`
}
