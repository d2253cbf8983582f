/** An answer that is JSON text already, for instance from PostgreSQL. It is sent unchanged. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
