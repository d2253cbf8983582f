// npm start: installs what is missing, builds the web if its sources changed, runs the server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { startDemo } from './demo.mjs'
import { compileCache, ensureInstalled, root } from './install.mjs'
import { runTogether } from './run.mjs'

const node = ensureInstalled()
if (!ensureBuilt(node)) process.exit(1)
const main = join(root, 'server', 'src', 'main.ts')
const env = {
  NODE_COMPILE_CACHE: compileCache,
  ...process.env,
  ...(await startDemo(node)),
}
// Limits of the garbage collector. By default young objects may use 32 MB and the heap may double. Then a long export
// uses 150 MB more, and hours of syncs 130 MB more. The response time is the same.
const flags = JSON.parse(readFileSync(join(root, 'server', 'node-flags.json'), 'utf8'))
const args = [...flags, main, ...process.argv.slice(2)]
process.exit(await runTogether([{ command: node, args, options: { cwd: root, env } }]))
