// npm run check [-- gate ...]: the one gate. Runs on Node 20 or later with nothing installed.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureInstalled, root } from './install.mjs'

const node = ensureInstalled()
const { status } = spawnSync(node, [path.join(root, 'scripts/check/all.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
