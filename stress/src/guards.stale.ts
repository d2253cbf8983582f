import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repository, timesIn } from './guards.copy.ts'
import type { Guard } from './guards.guard.ts'

/** A guard that no longer stands where the list says, or whose test is gone. */
export function staleness({ name, file, from, test }: Guard): string[] {
  const at = path.join(repository, file)
  const times = existsSync(at) ? timesIn(readFileSync(at, 'utf8'), from) : 0
  return [
    ...(times === 1 ? [] : [`${name}: stands ${times} times in ${file}`]),
    ...(existsSync(path.join(repository, 'server', test)) ? [] : [`${name}: there is no ${test}`]),
  ]
}
