/** `long` checks every promise. `short` is the reduced run of the tests. */
export type Extent = 'long' | 'short'

/** The figures of a part as they are printed, and its broken promises. */
export interface PartResult {
  figures: Readonly<Record<string, number | string>>
  /** Sentences. Empty if the product kept every promise. */
  failures: readonly string[]
}

/**
 * A part of the stress tests. It starts the product, stresses it and stops it. `description` is the promise in one
 * sentence. `missing` says why the part cannot run on this machine. `log` prints progress. `run` throws only if the part could not run.
 */
export interface Part {
  readonly name: string
  readonly description: string
  readonly missing?: string | undefined
  run(extent: Extent, log: (line: string) => void): Promise<PartResult>
}
