// Checks that docs/security/asvs.md has every requirement once, with a state and existing tests.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createTestCheck, parseTestReferences } from './conformance.mjs'
import { runAsGate } from './gate.mjs'

const page = 'docs/security/asvs.md'
const states = new Set(['met', 'partly', 'not met'])
/** The number of requirements of levels 1 and 2 in each chapter of ASVS 5.0.0, from V1 on. */
const chapters = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

const number = /V\d+\.\d+\.\d+/g
const cells = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** @returns {{problems: string[], requirements: number}} */
export function checkAsvs(root) {
  const file = path.join(root, page)
  if (!existsSync(file)) return { problems: [`${page} is missing. Write it.`], requirements: 0 }
  const findTestProblem = createTestCheck(root)
  const problems = []
  const lineOfId = new Map()
  const note = (id, at) => {
    if (lineOfId.has(id)) problems.push(`${page}:${at}: ${id} is in line ${lineOfId.get(id)} too.`)
    lineOfId.set(id, at)
  }
  let excluding = false
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const at = index + 1
    if (line.startsWith('Does not apply')) excluding = true
    else if (line === '') excluding = false
    if (excluding) for (const [id] of line.matchAll(number)) note(id, at)
    const [id = '', , state = '', where = '', evidence = ''] = cells(line)
    if (!/^V\d/.test(id)) continue
    note(id, at)
    if (!states.has(state))
      problems.push(`${page}:${at}: '${state}' is no state. Write ${[...states].join(', ')}.`)
    if (where === '' && evidence === '')
      problems.push(`${page}:${at}: ${id} has neither a place nor a reason. Add one.`)
    problems.push(
      ...parseTestReferences(evidence)
        .map(findTestProblem)
        .filter((problem) => problem !== null)
        .map((problem) => `${page}:${at}: ${problem}`),
    )
  }
  for (const [index, count] of chapters.entries()) {
    const foundCount = [...lineOfId.keys()].filter((id) => id.startsWith(`V${index + 1}.`)).length
    if (foundCount !== count)
      problems.push(
        `${page}: V${index + 1} has ${foundCount} of its ${count} requirements. Add the missing ones.`,
      )
  }
  return { problems, requirements: lineOfId.size }
}

runAsGate(import.meta, (root) => {
  const { problems, requirements } = checkAsvs(root)
  return { problems, summary: `${requirements} requirements` }
})
