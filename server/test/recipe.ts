import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '..', '..')

/** A file that a recipe adds or copies, or lines that it changes in one. */
interface Step {
  kind: 'new' | 'edit' | 'copy'
  file: string
  text: string
}

const kinds: Readonly<Record<string, Step['kind']>> = { diff: 'edit', sh: 'copy' }
const block = /^```(\w+) file=(\S+)\n([\s\S]*?)^```$/gm

const recipeFolder = join(repository, 'docs', 'recipes')
const readRecipe = (name: string) => readFileSync(join(recipeFolder, `${name}.md`), 'utf8')

/** The steps of a recipe in docs/recipes: its code blocks that name a file, in order. */
export function readSteps(recipe: string): Step[] {
  return [...readRecipe(recipe).matchAll(block)].map(([, language = '', file = '', content = '']) => ({
    kind: kinds[language] ?? 'new',
    file,
    text: content,
  }))
}

/** The value of the first JSON block of a recipe. */
export function readJson(recipe: string): unknown {
  const [, text = ''] = /^ *```json\n([\s\S]*?)^ *```$/m.exec(readRecipe(recipe)) ?? []
  return JSON.parse(text)
}

/** The members of JSON objects that a recipe names in its text, such as `"limits": { "pages": 50 }`. */
export const readJsonMembers = (recipe: string): Record<string, unknown>[] =>
  [...readRecipe(recipe).matchAll(/`("\w+": [^`]+)`/g)].map(
    ([, member]) => JSON.parse(`{${member}}`) as Record<string, unknown>,
  )

interface NamedCode {
  name: string
  file: string
}

/** The names that a recipe's text gives to code with its file, such as `` `crud` in `server/src/resources/crud.ts` ``. */
export const readNamedCode = (recipe: string): NamedCode[] =>
  [
    ...readRecipe(recipe)
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .matchAll(/`(\w+)(?:\(\))?` (?:in|of) `([\w./-]+\/[\w.-]+\.tsx?)`/g),
  ].map(([, name = '', file = '']) => ({ name, file }))

/** Whether a file of the checkout has a name. */
export const hasName = ({ name, file }: NamedCode): boolean =>
  new RegExp(`\\b${name}\\b`).test(readFileSync(join(repository, file), 'utf8'))

export const recipeNames = readdirSync(recipeFolder).map((file) => file.replace(/\.md$/, ''))

/** Lines that a step adds, without blank ones. */
export const countAddedLines = ({ kind, text }: Step): number =>
  text.split('\n').filter((line) => (kind === 'new' ? line.trim() !== '' : /^\+.*\S/.test(line))).length

/** A copy of the checkout in which recipes are followed. It is inside of the checkout, so that packages resolve. */
export class RecipeCopy {
  readonly #folder: string

  constructor() {
    mkdirSync(join(repository, '.cache'), { recursive: true })
    this.#folder = mkdtempSync(join(repository, '.cache', 'recipe-'))
    const skippedFolders = /[/\\](node_modules|dist)([/\\]|$)/
    const settings = ['tsconfig.base.json', '.oxfmtrc.json', '.oxlintrc.json']
    for (const entry of ['contract', 'server', 'web', 'testkit', ...settings])
      cpSync(join(repository, entry), join(this.#folder, entry), {
        recursive: true,
        filter: (path) => !skippedFolders.test(path.slice(repository.length)),
      })
    mkdirSync(join(this.#folder, 'node_modules', '@karvon'), { recursive: true })
    for (const workspace of ['contract', 'server', 'web'])
      symlinkSync(join(this.#folder, workspace), join(this.#folder, 'node_modules', '@karvon', workspace))
  }

  /** Applies a step. Throws if the lines around an edit are missing, or occur twice. */
  apply(step: Step): void {
    const path = join(this.#folder, step.file)
    if (step.kind === 'new') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, step.text)
      return
    }
    if (step.kind === 'copy') {
      const [, source = ''] = /^cp (\S+) \S+$/m.exec(step.text) ?? []
      cpSync(join(this.#folder, source), path)
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

  /** Runs a program of the packages in the copy. */
  run(name: string, ...args: string[]): { status: number | null; output: string } {
    const program = join(repository, 'node_modules', '.bin', name)
    const env = { ...process.env, VITEST: undefined, KARVON_TEST_DATABASE_URL: undefined, NO_COLOR: '1' }
    const options = { cwd: this.#folder, encoding: 'utf8', env } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
    return { status, output: stdout + stderr }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
