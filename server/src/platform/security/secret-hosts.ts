/** The origin of a URL decides who receives a secret. A change from https to http changes the origin. */
export const getOrigin = (url: string): string => URL.parse(url)?.origin ?? url

/** Sorted and unique, so that two sets can be compared. */
export const getOrigins = (urls: Iterable<string>): string[] => [
  ...new Set(Array.from(urls, getOrigin).toSorted()),
]
