// Migrates the database of the first argument with the files of the second, as a starting server does,
// and prints the names that it applied as JSON.
import { migrate } from '../src/platform/database/migrate.ts'
import { TEST_TIMEZONE } from './database.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const appliedMigrations = await migrate(url, {
  timezone: TEST_TIMEZONE,
  ...(folder === '' ? {} : { folder }),
})
process.stdout.write(JSON.stringify(appliedMigrations))
