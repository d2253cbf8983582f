// Words that tie the product to one machine, one registry or a moment of its making.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFiles } from './files.mjs'
import { runAsGate } from './gate.mjs'

const rules = [
  {
    word: /(?:\.\.\/)+shared\b/,
    remedy: 'the project is complete without folders beside it. Carry a sample inside the repository',
    testsMay: true,
  },
  {
    word: /(?<![\w./])\/(?:home|Users|work|workspace|mnt)\/[a-z][\w-]*|\b[A-Z]:\\\\?Users\\/,
    remedy: 'this path exists on one machine only. Make it relative, or take it from the environment',
  },
  {
    word: /\bregistry\.(?:npmjs\.org|yarnpkg\.com|npmmirror\.com)|\bnpm\.pkg\.github\.com|"resolved": "https?:/,
    remedy:
      'which registry is used is the machine’s to say. Remove the address (npm’s omit-lockfile-registry-resolved does it for the lockfile)',
  },
  {
    word: /\bissue #?\d+\b/i,
    remedy: 'say what it does and why; in which order it was built means nothing to a reader',
  },
  {
    word: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    remedy: 'finish it now, or leave it out',
  },
]

const text =
  /\.(?:[cm]?[jt]sx?|json|jsonc|sql|css|html|md|sh|ya?ml|toml|txt)$|(?:^|\/)(?:run|Dockerfile|\.npmrc|\.gitignore)$/
const isTest = (file) => /^(?:e2e|bench|stress|server\/test)\/|\.test\.[a-z]+$/.test(file)
/** These name the words that are looked for. */
const own = /^scripts\/check\/(?:words|.+\.test)\.mjs$/

/** @returns {{problems: string[], read: number}} */
export function checkWords(root) {
  const files = projectFiles(root).filter((file) => text.test(file) && !own.test(file))
  const problems = files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        rules
          .filter((rule) => rule.word.test(line) && !(rule.testsMay && isTest(file)))
          .map((rule) => `${file}:${at + 1}: '${rule.word.exec(line)[0]}': ${rule.remedy}.`),
      ),
  )
  return { problems, read: files.length }
}

runAsGate(import.meta, (root) => {
  const { problems, read } = checkWords(root)
  return { problems, summary: `${read} files` }
})
