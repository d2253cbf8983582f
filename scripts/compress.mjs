// What the built web weighs on a weak line: files compressed once, when they are built, and sent as they are.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const texts = /\.(?:js|css|html|svg)$/
/** Bytes that fit into one packet anyway. */
const small = 1024

/** Writes `.gz` and `.br` beside every text file below the folder; the server sends what the browser takes. */
export function compressFolder(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name)
    if (!texts.test(name) || statSync(file).size < small) continue
    const plain = readFileSync(file)
    writeFileSync(`${file}.gz`, gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }))
    writeFileSync(`${file}.br`, brotliCompressSync(plain))
  }
}
