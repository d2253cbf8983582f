/** The rows of a short table as one batch of an export. */
export async function* readOneBatch<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}
