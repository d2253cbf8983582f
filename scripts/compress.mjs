// Compresses the files of the built web once, so that the server sends them without further work.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const texts = /\.(?:js|css|html|svg)$/
/** Bytes. Compression hardly makes a smaller file shorter. */
const small = 300

// zlib ends a block when its buffer is full. Which size fits best depends on the text.
const memLevels = [5, 6, 7, 8, 9]
const compressWithGzip = (plain) =>
  memLevels
    .map((memLevel) => gzipSync(plain, { level: constants.Z_BEST_COMPRESSION, memLevel }))
    .reduce((smallest, next) => (next.length < smallest.length ? next : smallest))

/** Writes `.gz` and `.br` beside every text file of the folder. The server sends the one that the browser accepts. */
export function compressFolder(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name)
    if (!texts.test(name) || statSync(file).size < small) continue
    const plain = readFileSync(file)
    writeFileSync(`${file}.gz`, compressWithGzip(plain))
    writeFileSync(`${file}.br`, brotliCompressSync(plain))
  }
}
