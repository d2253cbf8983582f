// npm run stress [-- name ...] [--short] [--write]: attacks the product and checks its promises.
import { runFile } from './run.mjs'

await runFile('stress/src/main.ts')
