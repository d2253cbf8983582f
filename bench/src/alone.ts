/** How much of it to do; `leads`: how many there are, where the bench has generated ones. */
export interface Extent {
  rounds: number
  leads?: number
}

export interface Done {
  text: string
  met: boolean
  /** PostgreSQL's version. */
  postgres: string
}

/** A bench that brings its own database, too large for the desk that the others share; it runs only when named. */
export interface Alone {
  name: string
  run(extent: Extent): Promise<Done>
}
