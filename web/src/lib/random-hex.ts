/** 32 random hexadecimal digits. Not randomUUID: it is missing where the page is served over plain http. */
export const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Such digits as a UUID of version 4. */
export const randomUuid = (): string =>
  randomHex().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
