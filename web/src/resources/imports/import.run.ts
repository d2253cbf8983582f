import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import { getImport, type ImportProgress } from '@karvon/contract/imports/imports.ts'
import { HttpError, send } from '../../lib/http.ts'
import { upload } from '../../lib/http.upload.ts'
import { createRandomUuid } from '../../lib/random-hex.ts'

/** The number of rows by result. */
export type ImportCounts = Pick<ImportAnswer, 'imported' | 'updated' | 'unchanged' | 'skipped'>

/**
 * `sending`: `sent` of `total` bytes. `working`: the part of the file that the server has read, from 0 to 1.
 */
export type ImportStep =
  | { phase: 'sending'; sent: number; total: number }
  | { phase: 'working'; part: number | undefined; counts: ImportCounts }

/** `errors` is undefined where the answer was lost and only the counts are known. */
export type ImportReport = ImportCounts & Pick<Partial<ImportAnswer>, 'errors'>

interface Import {
  readonly call: Call
  /** The form fields in the order in which they are sent. The file comes last. */
  readonly fields: Readonly<Record<string, string>>
  readonly file: File
  readonly signal: AbortSignal
  readonly onStep: (step: ImportStep) => void
}

/** Milliseconds between two polls of the progress. */
const pollIntervalMs = 500
/** The number of failed polls after which the host is assumed to have no progress call. */
const maxFailures = 4

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Sends a file and reports the progress until the import ends. When the connection breaks after the file was
 * sent, it polls the server until the end. Throws HttpError, or the signal's reason.
 */
export async function runImport({ call, fields, file, signal, onStep }: Import): Promise<ImportReport> {
  const key = createRandomUuid()
  const body = new FormData()
  // The file is last, so that a server that reads the parts in order already has the others.
  for (const [name, value] of Object.entries({ ...fields, key })) body.set(name, value)
  body.set('file', file)
  const polling: { result?: Promise<ImportProgress | null>; isAnswered: boolean } = { isAnswered: false }
  const onProgress = (sentBytes: number, totalBytes: number) => {
    if (sentBytes < totalBytes) onStep({ phase: 'sending', sent: sentBytes, total: totalBytes })
    else polling.result ??= pollProgress(key, { signal, onStep, hasAnswer: () => polling.isAnswered })
  }
  try {
    const answer = await upload(call, { body, signal, onProgress })
    return answer as ImportAnswer
  } catch (error) {
    // A browser may repeat a request whose connection broke. The server then answers 409 because it knows the
    // key. A proxy answers 502 or 504 when its connection breaks or the import takes longer than it waits.
    const isConnectionLost = error instanceof HttpError && [0, 409, 502, 504].includes(error.status)
    if (!isConnectionLost || polling.result === undefined) throw error
    const progress = await polling.result
    if (progress === null) throw error
    if (progress.status === 'failed') throw new Error(progress.error ?? '', { cause: error })
    return progress
  } finally {
    polling.isAnswered = true
  }
}

/**
 * Polls the progress until the import ends or its own answer is there. Null where the server does not report
 * progress.
 */
async function pollProgress(
  key: string,
  { signal, onStep, hasAnswer }: Pick<Import, 'signal' | 'onStep'> & { hasAnswer: () => boolean },
): Promise<ImportProgress | null> {
  const noCounts = { imported: 0, updated: 0, unchanged: 0, skipped: 0 }
  onStep({ phase: 'working', part: undefined, counts: noCounts })
  let failures = 0
  while (failures < maxFailures) {
    await pause(pollIntervalMs)
    if (hasAnswer() || signal.aborted) return null
    try {
      const progress = await send(getImport, { params: { key }, signal })
      if (progress.status !== 'running') return progress
      failures = 0
      if (!hasAnswer())
        onStep({ phase: 'working', part: progress.bytes_read / Math.max(progress.size, 1), counts: progress })
    } catch {
      failures += 1
    }
  }
  return null
}
