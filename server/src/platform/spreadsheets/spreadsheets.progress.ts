/** Numbers of the rows of a batch: those that created something, those that changed something, and all others. */
export interface IngestResult {
  imported: number
  updated: number
  unchanged: number
}

/** The progress of an import. `size` and `bytesRead` are bytes of its file. */
export class ImportProgress implements IngestResult {
  readonly size: number
  bytesRead = 0
  imported = 0
  updated = 0
  unchanged = 0
  skipped = 0

  constructor(size: number) {
    this.size = size
  }

  addBytes(bytes: number): void {
    this.bytesRead = Math.min(this.bytesRead + bytes, this.size)
  }

  /** For files whose progress is known only in rows. `ratio`: from 0 to 1. */
  advanceTo(ratio: number): void {
    this.bytesRead = Math.max(this.bytesRead, Math.round(Math.min(ratio, 1) * this.size))
  }

  addCounts({ imported, updated, unchanged }: IngestResult): void {
    this.imported += imported
    this.updated += updated
    this.unchanged += unchanged
  }
}
