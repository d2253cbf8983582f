import { Worker } from 'node:worker_threads'

/** Milliseconds. */
const drawTimeout = 20_000
const threadMemory = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }

/**
 * Draws an SVG as a PNG with the font DejaVu Sans, in a worker thread. Throws an Error if it fails or takes too long.
 */
export async function drawPng(svg: string): Promise<Buffer> {
  const worker = new Worker(new URL('./pictures.worker.ts', import.meta.url), {
    workerData: svg,
    resourceLimits: threadMemory,
  })
  const drawing = Promise.withResolvers<Uint8Array>()
  const fail = (reason: string) => drawing.reject(new Error(`A picture was not drawn: ${reason}`))
  const timer = setTimeout(() => fail('it took too long'), drawTimeout)
  worker
    .on('message', drawing.resolve)
    .on('error', drawing.reject)
    .on('exit', (code) => fail(`the thread ended with ${code}`))
  try {
    return Buffer.from(await drawing.promise)
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
