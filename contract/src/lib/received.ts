/** An answer of a host that implements only the specification: any part of it can be missing or null. */
export type Received<T> = T extends readonly (infer Each)[]
  ? readonly Received<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Received<T[Key]> | null | undefined }
    : T

/** A row of a resource as a host may answer it. It always has an id. Anything else can be missing. */
export type ReceivedRow<Row> = Received<Row> & { readonly id: number }
