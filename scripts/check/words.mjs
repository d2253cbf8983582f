// Finds words that bind the product to one machine, one registry or one task of its development.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFiles } from '../files.mjs'
import { runAsGate } from './gate.mjs'

const rules = [
  {
    word: /(?:\.\.\/)+shared\b/,
    remedy: 'the project must not use folders outside of it. Add a sample to the repository',
    testsMay: true,
  },
  {
    word: /(?<![\w./])\/(?:home|Users|work|workspace|mnt)\/[a-z][\w-]*|\b[A-Z]:\\\\?Users\\/,
    remedy: 'this path exists on one machine only. Make it relative, or read it from the environment',
  },
  {
    word: /\bregistry\.(?:npmjs\.org|yarnpkg\.com|npmmirror\.com)|\bnpm\.pkg\.github\.com|"resolved": "https?:/,
    remedy:
      'each machine has its own registry. Remove the address (npm’s omit-lockfile-registry-resolved does so in the lockfile)',
  },
  {
    word: /\bissue #?\d+\b/i,
    remedy: 'the number of a task means nothing to a reader. Describe the purpose instead',
  },
  {
    word: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    remedy: 'finish the work or leave it out',
  },
]

const text =
  /\.(?:[cm]?[jt]sx?|json|jsonc|sql|css|html|md|sh|ya?ml|toml|txt)$|(?:^|\/)(?:run|Dockerfile|\.npmrc|\.gitignore)$/
const isTest = (file) => /^(?:e2e|bench|stress|server\/test)\/|\.test\.[a-z]+$/.test(file)
/** These files contain the searched words. */
const ownFiles = /^scripts\/check\/(?:words|.+\.test)\.mjs$/

/** @returns {{problems: string[], read: number}} */
export function checkWords(root) {
  const files = projectFiles(root).filter((file) => text.test(file) && !ownFiles.test(file))
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
