/** What became of the items of a batch. */
export interface Taken {
  imported: number
  updated: number
  unchanged: number
}

/** How far an import is; `size` and `bytesRead` in bytes of its file. */
export class Progress implements Taken {
  readonly size: number
  bytesRead = 0
  imported = 0
  updated = 0
  unchanged = 0
  skipped = 0

  constructor(size: number) {
    this.size = size
  }

  read(bytes: number): void {
    this.bytesRead = Math.min(this.bytesRead + bytes, this.size)
  }

  /** Where how much has been read is known of rows alone; `part` from 0 to 1. */
  reached(part: number): void {
    this.bytesRead = Math.max(this.bytesRead, Math.round(Math.min(part, 1) * this.size))
  }

  took({ imported, updated, unchanged }: Taken): void {
    this.imported += imported
    this.updated += updated
    this.unchanged += unchanged
  }
}
