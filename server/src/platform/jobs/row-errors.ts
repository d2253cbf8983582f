import { isDatabaseUnavailable } from '../database/pg-errors.ts'

/** The errors of single rows of a job. A row that fails does not stop the others. */
export class RowErrors {
  readonly #errors: unknown[] = []

  /** Runs the work for a row and keeps its error. Throws if the database is unavailable. */
  async run(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      this.#errors.push(error)
    }
  }

  /** Throws the kept errors as one, so that the run of the job fails. */
  throwAll(message: string): void {
    if (this.#errors.length > 0) throw new AggregateError(this.#errors, message)
  }
}
