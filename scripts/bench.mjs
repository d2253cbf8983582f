// npm run bench [-- name ...] [--write]: figures as ratios, measured in turns in one run.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, root } from './install.mjs'

const node = ensureInstalled()
if (!ensureBuilt(node)) process.exit(1)
const { status } = spawnSync(node, [join(root, 'bench', 'src', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
