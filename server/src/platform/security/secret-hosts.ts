/** The origin of a URL: who receives a secret. A change from https to http changes it. */
export const getOrigin = (url: string): string => URL.parse(url)?.origin ?? url

/** The origins of URLs, sorted and unique, so that two lists can be compared. */
export const getOrigins = (urls: Iterable<string>): string[] => [
  ...new Set(Array.from(urls, getOrigin).toSorted()),
]
