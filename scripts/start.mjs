// npm start: installs what is missing, builds the web if its sources changed, runs the server.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, root } from './install.mjs'
import { runTogether } from './run.mjs'

const node = ensureInstalled()
if (!ensureBuilt(node)) process.exit(1)
const main = join(root, 'server', 'src', 'main.ts')
process.exit(
  await runTogether([{ command: node, args: [main, ...process.argv.slice(2)], options: { cwd: root } }]),
)
