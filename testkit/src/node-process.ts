import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ProcessOptions {
  args?: readonly string[]
  /** Arguments of Node itself, such as `--cpu-prof`. */
  nodeArgs?: readonly string[]
  /** The whole environment. Default: that of this process. */
  env?: NodeJS.ProcessEnv
  /** Gives the process and its children a process group of their own, which `killGroup` needs. */
  detached?: boolean
  cwd?: string
  /** 'inherit' shows errors in the output of this process instead of collecting them. Default: 'pipe'. */
  stderr?: 'pipe' | 'inherit'
  uid?: number
  gid?: number
}

export interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
}

const address = /http:\/\/127\.0\.0\.1:\d+/
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill()
})

/**
 * A Node program in a process of its own. It is stopped at the latest when this process exits. Its standard input
 * ends with this process, also after kill -9.
 */
export class NodeProcess {
  /** Resolves when the process ends. */
  readonly ended: Promise<ProcessEnd>
  readonly #child: ChildProcess
  readonly #program: string
  #output = ''
  #end: ProcessEnd | null = null
  #isOutputComplete = false

  constructor(program: string, options: ProcessOptions = {}) {
    const { args = [], nodeArgs = [], stderr = 'pipe', ...spawnOptions } = options
    const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
      ...spawnOptions,
      stdio: ['pipe', 'pipe', stderr],
    })
    this.#child = child
    this.#program = program
    running.add(child)
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
    // A process that was killed reads no more input.
    child.stdin?.on('error', () => undefined)
    child.once('close', () => (this.#isOutputComplete = true))
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        running.delete(child)
        this.#end = { code, signal }
        resolve(this.#end)
      })
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** How the process ended. Null while it runs. */
  get end(): ProcessEnd | null {
    return this.#end
  }

  /** Everything that the process has printed. */
  get output(): string {
    return this.#output
  }

  /** The address that the process has printed. */
  get url(): string {
    const [url] = address.exec(this.#output) ?? []
    if (url === undefined) throw new Error(`${this.#program} has printed no address:\n${this.#output}`)
    return url
  }

  /** Waits until the output matches. Throws, with the output, if the process ends first. */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const isLast = this.#isOutputComplete
      const match = pattern.exec(this.#output)
      if (match) return match
      if (isLast)
        throw new Error(`${this.#program} ended with ${this.#end?.code} before ${pattern}:\n${this.#output}`)
      await sleep(10)
    }
  }

  write(text: string): void {
    this.#child.stdin?.write(text)
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#end === null) this.#child.kill(signal)
    await this.ended
  }

  /** kill -9 of the process, without its children. */
  kill(): Promise<void> {
    return this.stop('SIGKILL')
  }

  /** kill -9 of the process and its children, as a machine's supervisor does it. */
  async killGroup(): Promise<void> {
    if (this.#end === null && this.pid > 1) process.kill(-this.pid, 'SIGKILL')
    await this.ended
  }
}

/** Starts a program and waits until it prints its address. */
export async function startProcess(program: string, options?: ProcessOptions): Promise<NodeProcess> {
  const nodeProcess = new NodeProcess(program, options)
  await nodeProcess.waitFor(address)
  return nodeProcess
}
