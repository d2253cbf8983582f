import { spawn } from 'node:child_process'
import path from 'node:path'
import { packages } from './modules.mjs'

const bin = (name) => ['node_modules', '.bin', name].join('/')
const own = (name) => [process.execPath, `scripts/check/${name}.mjs`, '.']

/**
 * The gates of `npm run check`. `commands` run one after the other; `remedy` says what to do about a failure;
 * `read` finds the count of what was read in the output, so that a gate that read nothing fails.
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
      'Change the lines named above; each message says how. A rule that is wrong for all of us goes off in .oxlintrc.json with its reason.',
  },
  {
    name: 'types',
    commands: packages.map((name) => [bin('tsc'), '-p', name, '--pretty', 'false', '--extendedDiagnostics']),
    read: /Files:\s+(\d+)/,
    remedy:
      'Correct the types at the lines named above: npx tsc -p <package> says the same in your editor’s words.',
  },
  {
    name: 'layers',
    commands: [own('layers')],
    read: /(\d+) modules/,
    remedy:
      'Imports go down, never sideways, and SQL is in *.queries.ts. ARCHITECTURE.md draws the layers, each line above says where the code belongs.',
  },
  {
    name: 'names',
    commands: [own('names')],
    read: /(\d+) names/,
    remedy: 'Rename one of the two. docs/glossary.md has the terms.',
  },
  {
    name: 'unused',
    commands: [[bin('knip'), '--no-progress', '--no-config-hints'], own('reached')],
    remedy:
      'Delete what nothing uses, or use it. Exports that their own file alone uses lose the word export (npx knip --fix --fix-type exports does it); packages go by npm uninstall -w <package> <name>.',
  },
  {
    name: 'packages',
    commands: [own('packages')],
    read: /(\d+) packages/,
    remedy:
      'Remove the entries named above from package-lock.json together with the package that asks for them, then run npm install --package-lock-only.',
  },
  {
    name: 'words',
    commands: [own('words')],
    read: /(\d+) files/,
    remedy: 'Each line above says what to write instead.',
  },
  {
    name: 'docs',
    commands: [own('docs')],
    read: /(\d+) pages/,
    remedy: 'Make the page say what is there, or make what the page says. Each line above names the place.',
  },
  {
    name: 'shown',
    commands: [own('conformance'), own('asvs')],
    read: /(\d+) (?:statements|requirements)/,
    remedy:
      'docs/conformance.md names for each statement, docs/security/asvs.md for each requirement the tests that show it: follow a renamed test there, and write the one that is missing.',
  },
]

/** Runs one gate in `root`; its whole output comes back, and `ok` only when it read something and found nothing. */
export async function runGate(gate, root) {
  const started = performance.now()
  let output = ''
  let failed = false
  let read = 0
  for (const command of gate.commands) {
    const result = await run(command, root)
    const count = Number(gate.read?.exec(result.output)?.[1] ?? 0)
    read += count
    if (result.code !== 0) failed = true
    else if (gate.read && count === 0) {
      failed = true
      result.output += `\n${command.join(' ')} read nothing: its settings or paths are wrong.\n`
    }
    if (result.code !== 0 || (gate.read && count === 0)) output += withoutDiagnostics(result.output)
  }
  return { ok: !failed, output, read, seconds: (performance.now() - started) / 1000 }
}

function run([command, ...args], root) {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    // The programs in .bin start "node": let them find the one that runs this.
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

/** tsc's statistics are read for its count of files only. */
const withoutDiagnostics = (output) => output.replace(/^(?:Files|[A-Z][\w ]+):\s+[\d.]+(?:K|s)?\n/gm, '')
