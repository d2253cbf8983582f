/**
 * An answer as a host may give it that does no more than the specification: of what the contract promises anything
 * can be missing or null.
 */
export type Received<T> = T extends readonly (infer Each)[]
  ? readonly Received<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Received<T[Key]> | null | undefined }
    : T

/** A resource's row as a host may answer it: without an id there would be nothing to open, all else can be missing. */
export type ReceivedRow<Row> = Received<Row> & { readonly id: number }
