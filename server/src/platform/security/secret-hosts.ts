/** The origin of an address: what decides who receives a secret. A change from https to http changes it too. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? url

/** Sorted and each once, so that two sets of hosts can be compared. */
export const originsOf = (urls: Iterable<string>): string[] => [
  ...new Set(Array.from(urls, originOf).toSorted()),
]
