// Draws one SVG as a PNG. A crash or a leak of the rasteriser ends with this worker thread.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

const readPackageFile = (name: string) => readFile(fileURLToPath(import.meta.resolve(name)))

await initWasm(await readPackageFile('@resvg/resvg-wasm/index_bg.wasm'))
const picture = new Resvg(workerData as string, {
  font: {
    fontBuffers: [await readPackageFile('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')],
    defaultFontFamily: 'DejaVu Sans',
  },
})
parentPort?.postMessage(picture.render().asPng())
