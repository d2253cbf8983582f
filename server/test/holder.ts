import { fileURLToPath } from 'node:url'
import { NodeProcess } from '@karvon/testkit/node-process.ts'

const program = fileURLToPath(new URL('embedded-holder.ts', import.meta.url))

export interface HolderOptions {
  uid?: number
  gid?: number
  env?: NodeJS.ProcessEnv
}

/** A separate process with an embedded PostgreSQL, in its own process group. */
export class Holder extends NodeProcess {
  constructor(folder: string, options: HolderOptions = {}) {
    super(program, { ...options, args: [folder], detached: true, stderr: 'inherit' })
  }

  /** Waits for the database and returns its URL. Throws the message of a refusal. */
  async ready(): Promise<string> {
    const [, word, text = ''] = await this.waitFor(/^(ready|refused) (.*)\n/m)
    if (word === 'ready') return text
    throw new Error(text)
  }
}
