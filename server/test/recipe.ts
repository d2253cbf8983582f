import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file that a recipe adds, or lines that it adds to one. */
export interface Step {
  kind: 'new' | 'edit'
  file: string
  text: string
}

const block = /^```(\w+) file=(\S+)\n([\s\S]*?)^```$/gm

/** The steps of a recipe: its code blocks that name a file, in order. */
export function stepsOf(recipe: string): Step[] {
  return [...recipe.matchAll(block)].map(([, language, file = '', text = '']) => ({
    kind: language === 'diff' ? 'edit' : 'new',
    file,
    text,
  }))
}

/** Lines that a step adds, blank ones aside. */
export const addedLines = ({ kind, text }: Step): number =>
  text.split('\n').filter((line) => (kind === 'new' ? line.trim() !== '' : /^\+.*\S/.test(line))).length

/** Follows a step in the checkout at `root`. Throws where an edit's surroundings are not there, or are twice. */
export function follow(root: string, step: Step): void {
  const path = join(root, step.file)
  if (step.kind === 'new') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, step.text)
    return
  }
  let text = readFileSync(path, 'utf8')
  for (const hunk of step.text.split(/^@@\n/m)) {
    const lines = hunk.split('\n').filter((line) => line !== '')
    const before = lines.filter((line) => !line.startsWith('+')).map((line) => `${line.slice(1)}\n`)
    const after = lines.filter((line) => !line.startsWith('-')).map((line) => `${line.slice(1)}\n`)
    const parts = text.split(before.join(''))
    if (parts.length !== 2)
      throw new Error(`${step.file}: found ${parts.length - 1} times:\n${before.join('')}`)
    text = parts.join(after.join(''))
  }
  writeFileSync(path, text)
}
