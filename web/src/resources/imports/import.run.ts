import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import { getImport, type ImportProgress } from '@karvon/contract/imports/imports.ts'
import { HttpError, send } from '../../lib/http.ts'
import { upload } from '../../lib/http.upload.ts'
import { randomUuid } from '../../lib/random-hex.ts'

/** Rows by what became of them. */
export type ImportCounts = Pick<ImportAnswer, 'imported' | 'updated' | 'unchanged' | 'skipped'>

/** `sent` of `total` bytes while the file is on its way; then what the server has made of it, from 0 to 1. */
export type ImportStep =
  | { phase: 'sending'; sent: number; total: number }
  | { phase: 'working'; part: number | undefined; counts: ImportCounts }

/** `errors` is undefined where the answer was lost on its way and only the counts are known. */
export type ImportReport = ImportCounts & Pick<Partial<ImportAnswer>, 'errors'>

interface Import {
  readonly call: Call
  /** Its fields stand in the order in which they are sent; the file comes last. */
  readonly fields: Readonly<Record<string, string>>
  readonly file: File
  readonly signal: AbortSignal
  readonly onStep: (step: ImportStep) => void
}

/** Milliseconds between two looks at how far the server is. */
const every = 500
/** Looks in vain after which a host does not tell: it has no such call. */
const patience = 4

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Sends a file and follows what the server makes of it, for as long as that takes. Where the connection breaks
 * once the file is there, the server is asked until it is done. Throws HttpError, or the signal's reason.
 */
export async function runImport({ call, fields, file, signal, onStep }: Import): Promise<ImportReport> {
  const key = randomUuid()
  const body = new FormData()
  // The file last: a server that reads the parts in order knows the others by then.
  for (const [name, value] of Object.entries({ ...fields, key })) body.set(name, value)
  body.set('file', file)
  const followed: { ends?: Promise<ImportProgress | null>; answered: boolean } = { answered: false }
  const onSent = (sent: number, total: number) => {
    if (sent < total) onStep({ phase: 'sending', sent, total })
    else followed.ends ??= follow(key, signal, onStep, () => followed.answered)
  }
  try {
    const answer = await upload(call, { body, signal, onSent })
    return answer as ImportAnswer
  } catch (error) {
    // A browser whose connection broke may have sent it once more by itself: 409, the key is known.
    const broken = error instanceof HttpError && (error.status === 0 || error.status === 409)
    if (!broken || followed.ends === undefined) throw error
    const end = await followed.ends
    if (end === null) throw error
    if (end.status === 'failed') throw new Error(end.error ?? '', { cause: error })
    return end
  } finally {
    followed.answered = true
  }
}

/** Asks how far the server is until it is done or has answered the import itself; null where it does not say. */
async function follow(
  key: string,
  signal: AbortSignal,
  onStep: Import['onStep'],
  answered: () => boolean,
): Promise<ImportProgress | null> {
  const none = { imported: 0, updated: 0, unchanged: 0, skipped: 0 }
  onStep({ phase: 'working', part: undefined, counts: none })
  let failures = 0
  while (failures < patience) {
    await pause(every)
    if (answered() || signal.aborted) return null
    try {
      const now = await send(getImport, { params: { key }, signal })
      if (now.status !== 'running') return now
      failures = 0
      if (!answered()) onStep({ phase: 'working', part: now.bytes_read / Math.max(now.size, 1), counts: now })
    } catch {
      failures += 1
    }
  }
  return null
}
