/** A guard of the product, the code that removes it, and the test that must fail without it. */
export interface Guard {
  readonly name: string
  /** Relative to the repository. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly code: string
  /** Replaces `code`. */
  readonly replacement: string
  /** A test file, relative to server/. */
  readonly test: string
  /** Runs only the tests whose titles contain this. */
  readonly titleFilter?: string
}

/** Declares the guards of one source file that one test file checks. */
export const defineGuards = (
  file: string,
  test: string,
  guards: readonly (readonly [name: string, code: string, replacement: string, titleFilter?: string])[],
): Guard[] =>
  guards.map(([name, code, replacement, titleFilter]) => ({
    name,
    file,
    code,
    replacement,
    test,
    ...(titleFilter !== undefined && { titleFilter }),
  }))
