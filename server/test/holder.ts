import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('embedded-holder.ts', import.meta.url))

export interface HolderOptions {
  uid?: number
  gid?: number
  env?: NodeJS.ProcessEnv
}

/** Another process with a built-in PostgreSQL, in a process group of its own. */
export class Holder {
  readonly #child: ChildProcess
  readonly #lines: string[] = []
  readonly ended: Promise<number | null>

  constructor(folder: string, { env = process.env, ...ids }: HolderOptions = {}) {
    this.#child = spawn(process.execPath, [PROGRAM, folder], {
      ...ids,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let text = ''
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      this.#lines.splice(0, Infinity, ...text.split('\n'))
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code) => resolve(code))
    })
  }

  /** The url once it is ready. Throws what it refused with. */
  async ready(): Promise<string> {
    const line = await this.#until((text) => /^(ready|refused) /.test(text))
    if (line.startsWith('ready ')) return line.slice('ready '.length)
    throw new Error(line.slice('refused '.length))
  }

  get log(): string {
    return this.#lines.join('\n')
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** kill -9 of the whole process group, as a machine's supervisor or a terminal does it. */
  kill(): void {
    if (this.pid > 1) process.kill(-this.pid, 'SIGKILL')
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.ended
  }

  async #until(matches: (line: string) => boolean): Promise<string> {
    let over = false
    void this.ended.then(() => (over = true))
    for (;;) {
      const line = this.#lines.find(matches)
      if (line !== undefined) return line
      if (over) throw new Error(`The holder ended early:\n${this.log}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}
