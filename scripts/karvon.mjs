// npm run karvon -- <command>: the commands for operators.
import { runFile } from './run.mjs'

await runFile('server/src/cli.ts')
