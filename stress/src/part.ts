/** `long` is what the suite promises; `short` is the same in little, which `npm run test:full` runs. */
export type Extent = 'long' | 'short'

/** What became of a part: its figures as they are printed, and every promise that was broken. */
export interface Outcome {
  figures: Readonly<Record<string, number | string>>
  /** Sentences; none means that all held. */
  faults: readonly string[]
}

/**
 * One stress: it starts what it needs, does its worst, and ends it. `about` says in one sentence what must hold.
 * `say` tells how far it is. It throws only where it could not be carried out.
 */
export interface Part {
  readonly name: string
  readonly about: string
  run(extent: Extent, say: (line: string) => void): Promise<Outcome>
}
