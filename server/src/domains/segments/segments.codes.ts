/** Reads codes of 1, 2 or 4 bytes with the highest byte first. */
export function decodeCodes(bytes: Buffer | undefined, size: number, target: Int32Array): void {
  const width = bytes === undefined ? 0 : bytes.length / size
  if (bytes === undefined || (width !== 1 && width !== 2 && width !== 4))
    throw new Error('a column of a segment does not have its number of leads')
  if (width === 1) for (let i = 0; i < size; i += 1) target[i] = bytes[i] as number
  else if (width === 2)
    for (let i = 0; i < size; i += 1)
      target[i] = ((bytes[2 * i] as number) << 8) | (bytes[2 * i + 1] as number)
  else
    for (let i = 0, at = 0; i < size; i += 1, at += 4)
      target[i] =
        ((bytes[at] as number) << 24) |
        ((bytes[at + 1] as number) << 16) |
        ((bytes[at + 2] as number) << 8) |
        (bytes[at + 3] as number)
}

/** Writes codes in as few bytes as the largest one needs. */
export function encodeCodes(codes: Int32Array): Buffer {
  const largest = codes.reduce((max, code) => Math.max(max, code), 0)
  if (largest < 256) return Buffer.from(codes)
  const bytes = Buffer.alloc(codes.length * (largest < 65_536 ? 2 : 4))
  if (largest < 65_536) for (const [i, code] of codes.entries()) bytes.writeUInt16BE(code, 2 * i)
  else for (const [i, code] of codes.entries()) bytes.writeInt32BE(code, 4 * i)
  return bytes
}

/** Reads sums of hundredths, which are doubles. */
export function decodeSums(bytes: Buffer | undefined, size: number, target: Float64Array): void {
  if (bytes?.length !== 8 * size) throw new Error('a column of a span does not have its number of groups')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let i = 0; i < size; i += 1) target[i] = view.getFloat64(8 * i)
}

export function encodeSums(sums: Float64Array): Buffer {
  const bytes = Buffer.alloc(8 * sums.length)
  for (const [i, sum] of sums.entries()) bytes.writeDoubleBE(sum, 8 * i)
  return bytes
}
