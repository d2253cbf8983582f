// npm run bench [-- name ...] [--write]: measures speed as ratios of two figures of one run.
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { runFile } from './run.mjs'

if (!ensureBuilt(ensureInstalled())) process.exit(1)
await runFile('bench/src/main.ts')
