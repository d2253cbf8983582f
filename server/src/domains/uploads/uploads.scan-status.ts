import { AppError } from '../../platform/http/errors.ts'

/** Refuses to read or send an upload that is infected or not scanned yet. Errors: 409. */
export function refuseUnscanned({
  status,
  infected_with,
}: {
  status: string
  infected_with: string | null
}): void {
  if (infected_with !== null) throw new AppError('upload_infected', { signature: infected_with })
  if (status === 'scanning') throw new AppError('upload_being_scanned')
}
