import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './install.mjs'

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url))
const wait = 'setInterval(() => {}, 1000); console.log(`child ${process.pid}`)'

/** Starts the programs together, as npm does: in a shell that waits. */
function start(...programs) {
  const commands = programs.map((program) => ({ command: process.execPath, args: ['-e', program] }))
  const script = `import { runTogether } from '${RUN}'
    console.log(\`script \${process.pid}\`)
    process.exit(await runTogether(${JSON.stringify(commands)}))`
  const shell = spawn(
    '/bin/sh',
    ['-c', '"$0" --input-type=module -e "$1"; exit $?', process.execPath, script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, npm_lifecycle_event: 'start' },
    },
  )
  let output = ''
  shell.stdout.on('data', (chunk) => (output += chunk))
  const pids = async () => {
    await expect.poll(() => output.match(/child/g)?.length).toBe(programs.length)
    const find = (name) =>
      [...output.matchAll(new RegExp(`${name} (\\d+)`, 'g'))].map((match) => Number(match[1]))
    return { script: find('script')[0], children: find('child') }
  }
  return { shell, pids }
}

function alive(pids) {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  })
}

test("a signal is passed to the children, and the exit code is the child's", async () => {
  const { shell, pids } = start(`process.on('SIGTERM', () => process.exit(7)); ${wait}`)
  const { script, children } = await pids()
  process.kill(script, 'SIGTERM')
  const [code] = await once(shell, 'exit')
  expect(code).toBe(7)
  expect(alive(children)).toEqual([])
})

test('a file that a script runs ends with the script, and has its exit code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'karvon-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'child.mjs')
  writeFileSync(file, `process.on('SIGTERM', () => process.exit(7)); ${wait}`)
  const script = `import { runFile } from '${RUN}'
    runFile(${JSON.stringify(relative(root, file))})`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(parent.stdout, 'data')
  parent.kill('SIGTERM')
  const [code] = await once(parent, 'exit')
  const child = Number(/\d+/.exec(output)[0])
  onTestFinished(() => alive([child]).forEach((pid) => process.kill(pid, 'SIGKILL')))
  expect(alive([child])).toEqual([])
  expect(code).toBe(7)
})

test('when one child ends, the others are stopped', async () => {
  // Both have started before one of them ends.
  const { shell, pids } = start(
    `process.on('SIGUSR2', () => {}); ${wait}`,
    `process.on('SIGUSR2', () => process.exit(3)); ${wait}`,
  )
  const { children } = await pids()
  const exit = once(shell, 'exit')
  for (const pid of children) process.kill(pid, 'SIGUSR2')
  const [code] = await exit
  expect(code).toBe(3)
  expect(alive(children)).toEqual([])
})

test("when npm's shell ends without passing a signal, the children are stopped", async () => {
  const { shell, pids } = start(wait)
  const { script, children } = await pids()
  shell.kill('SIGTERM')
  await expect.poll(() => alive([script, ...children])).toEqual([])
})
