import { AppError } from '../../platform/http/errors.ts'

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
