/** Answers a function that opens a resource at its first call, and shares it with all callers. After a failure the next call tries again. */
export function openOnce<Resource>(open: () => Promise<Resource>): () => Promise<Resource> {
  let resource: Promise<Resource> | undefined
  const forget = (error: unknown) => {
    resource = undefined
    throw error
  }
  return () => (resource ??= open().catch(forget))
}
