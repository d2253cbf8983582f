import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { countOccurrences, repository } from './guards.copy.ts'
import type { Guard } from './guards.define.ts'

const readSource = (file: string): string => {
  const absolutePath = path.join(repository, file)
  return existsSync(absolutePath) ? readFileSync(absolutePath, 'utf8') : ''
}

/** Problems of a guard's declaration: its code has moved, or its test file or test title does not exist. */
export function findGuardProblems({ name, file, code, test, titleFilter }: Guard): string[] {
  const count = countOccurrences(readSource(file), code)
  const testSource = readSource(path.join('server', test))
  return [
    ...(count === 1 ? [] : [`${name}: its code occurs ${count} times in ${file}`]),
    ...(testSource === '' ? [`${name}: there is no ${test}`] : []),
    ...(titleFilter === undefined || testSource.includes(titleFilter)
      ? []
      : [`${name}: ${test} has no title with '${titleFilter}'`]),
  ]
}
