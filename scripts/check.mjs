// npm run check [-- gate ...]: the one gate. Runs on Node 20 or later with nothing installed.
import { runFile } from './run.mjs'

await runFile('scripts/check/all.mjs')
