/** 32 random hexadecimal digits. randomUUID does not exist on pages over plain http. */
export const createRandomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** A random UUID of version 4. */
export const createRandomUuid = (): string =>
  createRandomHex().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
