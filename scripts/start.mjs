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
// Limits of the garbage collector. By default Node lets young objects take 32 MB and the heap double where memory is free:
// a long export then takes 150 MB more, and hours of syncs 130 MB. Answers take the same time.
const flags = JSON.parse(readFileSync(join(root, 'server', 'node-flags.json'), 'utf8'))
const args = [...flags, main, ...process.argv.slice(2)]
process.exit(await runTogether([{ command: node, args, options: { cwd: root, env } }]))
