// npm run dev: the server restarts and the web reloads when their sources change.
import { join } from 'node:path'
import { startDemo } from './demo.mjs'
import { ensureInstalled, root } from './install.mjs'
import { runTogether } from './run.mjs'

const node = ensureInstalled()
// Vite forwards the API's calls to this port.
const port = process.env.PORT ?? '8080'
const server = {
  command: node,
  args: ['--watch', '--watch-preserve-output', join(root, 'server', 'src', 'main.ts')],
  options: { cwd: root, env: { ...process.env, PORT: port, ...(await startDemo(node)) } },
}
const web = {
  command: node,
  args: [join(root, 'node_modules', 'vite', 'bin', 'vite.js')],
  options: { cwd: join(root, 'web'), env: { ...process.env, KARVON_DEV_API: port } },
}
process.exit(await runTogether([server, web]))
