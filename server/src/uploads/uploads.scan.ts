import { ScanError, type Scanner } from '../clients/clamd.ts'
import { AppError } from '../kit/errors.ts'

/** `clean` also where no scanner is set up; `waiting` where the scanner cannot say now, with the reason. */
export type ScanResult = { state: 'clean' } | { state: 'waiting'; reason: string }

/** Scans a received file within `milliseconds`. Errors: 422 of an infected file. */
export async function scanReceived(
  scanner: Scanner | null,
  path: string,
  milliseconds: number,
  onInfected: (signature: string) => void,
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
  throw new AppError('invalid', `The file is infected (${signature}). It was removed.`)
}

/** 409 for whoever wants what an upload holds, or wants it sent, before it is clean. */
export function refuseUnscanned({
  status,
  infected_with,
}: {
  status: string
  infected_with: string | null
}): void {
  if (infected_with !== null)
    throw new AppError('conflict', `The file is infected (${infected_with}). It was removed.`)
  if (status === 'scanning') throw new AppError('conflict', 'The file waits for the virus scanner.')
}
