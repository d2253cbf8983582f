import { openClamd, ScanError, type Scanner } from './clamd.ts'
import type { Config } from '../../config.ts'
import { AppError } from '../http/errors.ts'

/** The scanner of received files; null when none is configured. */
export const openScanner = ({ clamav }: Pick<Config, 'clamav'>): Scanner | null =>
  clamav === undefined ? null : openClamd(clamav)

/** `clean`: no virus, or no scanner is configured. `waiting`: the file was not scanned, for this reason. */
export type ScanResult = { state: 'clean' } | { state: 'waiting'; reason: string }

interface ScanOptions {
  milliseconds: number
  onInfected: (signature: string) => void
}

/** Scans a received file for at most `milliseconds`. Errors: 422 for an infected file. */
export async function scanReceived(
  scanner: Scanner | null,
  path: string,
  { milliseconds, onInfected }: ScanOptions,
): Promise<ScanResult> {
  if (scanner === null) return { state: 'clean' }
  let signature: string | null
  try {
    signature = await scanner.scan(path, AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds))))
  } catch (error) {
    if (!(error instanceof ScanError)) throw error
    return { state: 'waiting', reason: error.message }
  }
  if (signature === null) return { state: 'clean' }
  onInfected(signature)
  throw new AppError('file_infected', { signature })
}

/** {@link scanReceived} for callers that cannot wait. Errors: 422 for an infected file, 503 when it was not scanned. */
export async function requireClean(...scan: Parameters<typeof scanReceived>): Promise<void> {
  const scanResult = await scanReceived(...scan)
  if (scanResult.state === 'waiting')
    throw new AppError('file_not_scanned', { reason: scanResult.reason }, { retryAfter: 30 })
}
