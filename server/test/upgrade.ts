import pg from 'pg'
import { migrate } from '../src/platform/database/migrate.ts'
import { TEST_TIMEZONE, createTestDatabase } from './database.ts'

export interface UpgradeDatabase extends AsyncDisposable {
  url: string
  client: pg.Client
  /** Applies the migrations up to `last`, by default all. */
  migrate(last?: string): Promise<void>
  /** The values of the only column of a statement. */
  readColumn<Value>(text: string): Promise<Value[]>
}

/** Creates an empty database, to migrate to an older release, to fill, and to migrate to this one. */
export async function openUpgradeDatabase(): Promise<UpgradeDatabase> {
  const database = await createTestDatabase({ empty: true })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  return {
    url: database.url,
    client,
    async migrate(last) {
      await migrate(database.url, { timezone: TEST_TIMEZONE, ...(last !== undefined && { last }) })
    },
    async readColumn<Value>(text: string) {
      const { rows } = await client.query<[Value]>({ text, rowMode: 'array' })
      return rows.map(([value]) => value)
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await database.drop()
    },
  }
}
