// Draws one SVG as a PNG in a worker thread, so that a crash or a leak of the rasteriser harms only this thread.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

const readUrl = (url: string) => readFile(fileURLToPath(url))

await initWasm(await readUrl(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')))
const picture = new Resvg(workerData as string, {
  font: {
    fontBuffers: [await readUrl(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))],
    defaultFontFamily: 'DejaVu Sans',
  },
})
parentPort?.postMessage(picture.render().asPng())
