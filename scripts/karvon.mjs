// npm run karvon -- <command>: what an operator does from a shell.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'

const node = ensureInstalled()
const command = join(root, 'server', 'src', 'cli.ts')
const { status } = spawnSync(node, [command, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
