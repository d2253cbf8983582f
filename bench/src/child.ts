import { spawn } from 'node:child_process'

/** A program of ours in a process of its own, once it has printed where it listens. */
export interface Listening {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Starts a TypeScript program and waits for an address in what it prints. Throws, with its output, if it ends first. */
export async function startListening(
  program: string,
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
): Promise<Listening> {
  const child = spawn(process.execPath, [...nodeArgs, program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
      if (address) resolve(address[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}:\n${output}`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
