// Runs an embedded PostgreSQL until SIGTERM or the end of its parent, for tests that kill it. Argument: the data folder.
// Prints `ready <url>`, or `refused <message>` and ends with 1.
import { startEmbedded } from '../src/platform/database/embedded.ts'
import { testBinaries } from './binaries.ts'

const [folder = ''] = process.argv.slice(2)
try {
  const embeddedDatabase = await startEmbedded({
    folder,
    log: (message) => process.stdout.write(`log ${message}\n`),
    binaries: testBinaries(),
  })
  const stop = () => {
    process.stdin.destroy()
    void embeddedDatabase.stop()
  }
  process.once('SIGTERM', stop)
  process.stdin.once('end', stop).resume()
  process.stdout.write(`ready ${embeddedDatabase.url}\n`)
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
