import { Worker } from 'node:worker_threads'
import { partSizes } from '../files/content.zip.ts'
import { AppError } from '../http/errors.ts'
import { maxWorkbooks, maxWorkbooksAwaited } from '../limits/limits.ts'
import { Turns } from '../limits/turns.ts'
import type { SheetRow, WorkbookAsked, WorkbookPiece } from './spreadsheets.piece.ts'

const turns = new Turns(
  'workbooks',
  maxWorkbooks,
  maxWorkbooksAwaited,
  'Many workbooks are being read right now. Try again shortly.',
)
/** Memory of the thread that reads a workbook, in MB. */
const memory = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 8, stackSizeMb: 8 }
/** Bytes of a part that is no sheet, such as the texts that cells share: the thread holds all of them at once. */
const maxPart = 16 * 1024 * 1024

/** How much of a workbook is read. `seconds` bounds the time in all; `sheet` the bytes of a sheet's XML. */
export interface Bounds {
  seconds: number
  sheet?: number
}

/**
 * The rows of a workbook's first sheet that hold anything, in pieces, blank rows left out.
 * What the caller does between pieces does not count as time. The file must have passed {@link checkContent}.
 * Errors: 422 `invalid` where the workbook cannot be understood, or takes too much time or memory.
 */
export async function* workbookRows(
  asked: WorkbookAsked,
  { seconds, sheet }: Bounds,
): AsyncGenerator<SheetRow[]> {
  if (asked.extension === 'xlsx') await checkSizes(asked.path, sheet)
  let left = seconds * 1000
  const waited = performance.now()
  if (!(await turns.enter(left))) throw tooHeavy()
  left -= performance.now() - waited
  try {
    yield* readInThread(asked, left)
  } finally {
    turns.leave()
  }
}

async function* readInThread(asked: WorkbookAsked, milliseconds: number): AsyncGenerator<SheetRow[]> {
  const worker = new Worker(new URL('./spreadsheets.worker.ts', import.meta.url), {
    workerData: asked,
    resourceLimits: memory,
  })
  const pieces = listen(worker)
  let left = milliseconds
  try {
    for (;;) {
      const started = performance.now()
      const piece = await within(pieces.next(), left)
      left -= performance.now() - started
      if (piece.failed) throw unreadable()
      yield piece.rows
      if (piece.last) return
      worker.postMessage('next')
    }
  } finally {
    await worker.terminate()
  }
}

/** Whatever a part is called, the workbook may name it as its texts. */
async function checkSizes(path: string, maxSheet = Infinity): Promise<void> {
  for (const [name, size] of await partSizes(path))
    if (size > (/^xl\/worksheets\//i.test(name) ? maxSheet : maxPart)) throw tooLarge()
}

/** One piece is on its way at a time: the thread waits until it is asked for the next. */
function listen(worker: Worker): { next(): Promise<WorkbookPiece> } {
  let settle = Promise.withResolvers<WorkbookPiece>()
  const fail = () => settle.reject(tooHeavy())
  worker.on('message', (piece: WorkbookPiece) => settle.resolve(piece))
  worker.on('error', fail)
  worker.on('exit', fail)
  settle.promise.catch(() => {})
  return {
    async next() {
      const piece = await settle.promise
      settle = Promise.withResolvers()
      settle.promise.catch(() => {})
      return piece
    },
  }
}

async function within(work: Promise<WorkbookPiece>, milliseconds: number): Promise<WorkbookPiece> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooHeavy()), Math.max(milliseconds, 0))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const unreadable = () =>
  new AppError('invalid', 'The workbook is damaged: open it, save it anew and send it again.')
const tooLarge = () =>
  new AppError('invalid', 'The workbook holds more than is read at once: send it in smaller files.')
const tooHeavy = () =>
  new AppError('invalid', 'The workbook could not be read in time: send it once more, or in smaller files.')
