/** An answer that is JSON text already (built by PostgreSQL); it is sent as it stands. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
