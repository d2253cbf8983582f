import { spawn } from 'node:child_process'
import path from 'node:path'
import { packages } from './modules.mjs'

const bin = (name) => ['node_modules', '.bin', name].join('/')
const ownCommand = (name) => [process.execPath, `scripts/check/${name}.mjs`, '.']

/**
 * The gates of `npm run check`. `commands` run one after the other. `remedy` explains how to correct a failure. `read`
 * finds the number of checked items in the output. A gate that checked nothing fails.
 */
export const gates = [
  {
    name: 'format',
    commands: [[bin('oxfmt'), '--check', '.']],
    read: /on (\d+) files/,
    remedy: 'Run npx oxfmt; it rewrites the files named above.',
  },
  {
    name: 'lint',
    commands: [[bin('oxlint'), '--type-aware', '--deny-warnings', '.']],
    read: /on (\d+) files/,
    remedy:
      'Correct the lines above as their messages say. Switch a wrong rule off in .oxlintrc.json, with the reason.',
  },
  {
    name: 'types',
    commands: packages.map((name) => [bin('tsc'), '-p', name, '--pretty', 'false', '--extendedDiagnostics']),
    read: /Files:\s+(\d+)/,
    remedy: 'Correct the types in the lines above. npx tsc -p <package> prints them again.',
  },
  {
    name: 'layers',
    commands: [ownCommand('layers')],
    read: /(\d+) modules/,
    remedy:
      'Imports go down, and SQL is in *.queries.ts only. ARCHITECTURE.md shows the layers. Each line above has its remedy.',
  },
  {
    name: 'names',
    commands: [ownCommand('names')],
    read: /(\d+) names/,
    remedy: 'Rename what the lines above name. docs/glossary.md has the terms.',
  },
  {
    name: 'unused',
    commands: [[bin('knip'), '--no-progress', '--no-config-hints'], ownCommand('unused-modules')],
    remedy:
      'Delete or use the unused code. Remove the word export if only its own file uses a name (npx knip --fix --fix-type exports). Remove packages by npm uninstall -w <package> <name>.',
  },
  {
    name: 'packages',
    commands: [ownCommand('packages')],
    read: /(\d+) packages/,
    remedy:
      'Remove the entries named above from package-lock.json together with the package that asks for them, then run npm install --package-lock-only.',
  },
  {
    name: 'words',
    commands: [ownCommand('words')],
    read: /(\d+) files/,
    remedy: 'Each line above has its remedy.',
  },
  {
    name: 'docs',
    commands: [ownCommand('docs')],
    read: /(\d+) pages/,
    remedy: 'Correct the page or the code, so that both agree. Each line above has its remedy.',
  },
  {
    name: 'conformance',
    commands: [ownCommand('conformance'), ownCommand('asvs')],
    read: /(\d+) (?:statements|requirements)/,
    remedy:
      'Correct the names of tests in docs/conformance.md and docs/security/asvs.md, and write missing tests.',
  },
]

/** Runs one gate in `root` and returns its output. `ok` is true if it checked something and found no problem. */
export async function runGate(gate, root) {
  const startTime = performance.now()
  let output = ''
  let hasFailed = false
  let readCount = 0
  for (const command of gate.commands) {
    const result = await run(command, root)
    const count = Number(gate.read?.exec(result.output)?.[1] ?? 0)
    readCount += count
    if (result.code !== 0) hasFailed = true
    else if (gate.read && count === 0) {
      hasFailed = true
      result.output += `\n${command.join(' ')} checked nothing. Correct its settings or paths.\n`
    }
    if (result.code !== 0 || (gate.read && count === 0)) output += withoutDiagnostics(result.output)
  }
  return { ok: !hasFailed, output, read: readCount, seconds: (performance.now() - startTime) / 1000 }
}

function run([command, ...args], root) {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    // The programs in .bin start "node". They must find the Node that runs this process.
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
  }
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.once('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}\n` }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Only the number of files is needed of tsc's statistics. */
const withoutDiagnostics = (output) => output.replace(/^(?:Files|[A-Z][\w ]+):\s+[\d.]+(?:K|s)?\n/gm, '')
