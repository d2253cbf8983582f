/** The size of a bench. `leads`, `entries`: the number of generated leads or entries of the ledger. */
export interface BenchExtent {
  rounds: number
  leads?: number
  entries?: number
}

export interface BenchResult {
  text: string
  isMet: boolean
  /** PostgreSQL's version. */
  postgres: string
}

/** A bench with its own large database. It runs only when it is named. */
export interface StandaloneBench {
  name: string
  run(extent: BenchExtent): Promise<BenchResult>
}
