/** One guard of the product, how it is taken out, and the test that must then fail. */
export interface Guard {
  readonly name: string
  /** From the repository's root. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly from: string
  /** What is left where the guard was. */
  readonly to: string
  /** A file of the server's tests, from its folder. */
  readonly test: string
  /** Only tests whose names hold this. */
  readonly only?: string
}

/** Guards of one file each, held by the tests of one file. */
export const guardsOf = (
  file: string,
  test: string,
  guards: readonly (readonly [name: string, from: string, to: string, only?: string])[],
): Guard[] =>
  guards.map(([name, from, to, only]) => ({
    name,
    file,
    from,
    to,
    test,
    ...(only !== undefined && { only }),
  }))
