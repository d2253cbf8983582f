// npm run stress [-- name ...] [--short] [--write]: what the product promises under attack, with its figures.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'

const node = ensureInstalled()
const { status } = spawnSync(node, [join(root, 'stress', 'src', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
