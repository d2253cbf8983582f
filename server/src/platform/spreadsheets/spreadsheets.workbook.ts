import { Worker } from 'node:worker_threads'
import { readPartSizes } from '../files/content.zip.ts'
import { AppError } from '../http/errors.ts'
import { maxWorkbookThreads, maxQueuedWorkbooks } from '../limits/limits.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { SheetRow, WorkbookRequest, WorkbookBatch } from './spreadsheets.batch.ts'

const workbookLimit = new ConcurrencyLimit<'all'>({
  kind: 'workbooks',
  total: {
    max: maxWorkbookThreads,
    reason: 'workbooks',
    createError: (retryAfter) => new AppError('workbooks_busy', {}, { retryAfter }),
  },
  maxQueuedPerKey: maxQueuedWorkbooks,
  retryAfter: 2,
})
/** Memory of the worker thread, in MB. */
const threadMemory = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 8, stackSizeMb: 8 }
/** Maximum time in seconds until a thread has loaded its modules. A busy machine needs several. */
const maxStartSeconds = 15
/** Bytes of a part that is not a sheet, for example shared texts. The thread keeps the whole part in memory. */
const maxPartBytes = 16 * 1024 * 1024

/** `maxSeconds`: total time without the start of the thread. `maxSheetBytes`: bytes of a sheet's XML. */
export interface WorkbookBounds {
  maxSeconds: number
  maxSheetBytes?: number
}

/**
 * Reads the rows of the first visible sheet in batches, without blank rows. The time of the caller between two batches does not
 * count. The file must have passed {@link checkContent}. Errors: 422 when the workbook is unreadable, or needs too much
 * time or memory; 503 when no thread was free in time.
 */
export async function* readWorkbookRows(
  workbook: WorkbookRequest,
  { maxSeconds, maxSheetBytes }: WorkbookBounds,
): AsyncGenerator<SheetRow[]> {
  if (workbook.extension === 'xlsx') await checkPartSizes(workbook.path, maxSheetBytes)
  let millisecondsLeft = maxSeconds * 1000
  const waitStart = performance.now()
  const release = await workbookLimit.wait('all', { timeout: millisecondsLeft })
  millisecondsLeft -= performance.now() - waitStart
  try {
    yield* readInThread(workbook, millisecondsLeft)
  } finally {
    release()
  }
}

async function* readInThread(workbook: WorkbookRequest, milliseconds: number): AsyncGenerator<SheetRow[]> {
  const worker = new Worker(new URL('./spreadsheets.worker.ts', import.meta.url), {
    workerData: workbook,
    resourceLimits: threadMemory,
  })
  const batches = receiveBatches(worker)
  let millisecondsLeft = milliseconds
  try {
    // The first batch is empty. The thread sends it when it has loaded its modules.
    await withTimeout(batches.next(), maxStartSeconds * 1000)
    worker.postMessage('next')
    for (;;) {
      const startTime = performance.now()
      const batch = await withTimeout(batches.next(), millisecondsLeft)
      millisecondsLeft -= performance.now() - startTime
      if (batch.isFailed) throw createUnreadableError()
      yield batch.rows
      if (batch.isLast) return
      worker.postMessage('next')
    }
  } finally {
    await worker.terminate()
  }
}

/** Every part has a limit, because a workbook may name any part as its shared texts. */
async function checkPartSizes(path: string, maxSheet = Infinity): Promise<void> {
  for (const [name, size] of await readPartSizes(path))
    if (size > (/^xl\/worksheets\//i.test(name) ? maxSheet : maxPartBytes)) throw createTooLargeError()
}

/** The thread sends one batch and waits for a message before the next one. */
function receiveBatches(worker: Worker): { next(): Promise<WorkbookBatch> } {
  let nextBatch = Promise.withResolvers<WorkbookBatch>()
  const fail = () => nextBatch.reject(createTimeoutError())
  worker.on('message', (batch: WorkbookBatch) => nextBatch.resolve(batch))
  worker.on('error', fail)
  worker.on('exit', fail)
  nextBatch.promise.catch(() => {})
  return {
    async next() {
      const batch = await nextBatch.promise
      nextBatch = Promise.withResolvers()
      nextBatch.promise.catch(() => {})
      return batch
    },
  }
}

async function withTimeout(work: Promise<WorkbookBatch>, milliseconds: number): Promise<WorkbookBatch> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(createTimeoutError()), Math.max(milliseconds, 0))
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

const createUnreadableError = () => new AppError('workbook_damaged')
const createTooLargeError = () => new AppError('workbook_too_large')
const createTimeoutError = () => new AppError('workbook_timeout')
