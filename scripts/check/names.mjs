// Checks that each exported name has one meaning in its workspace, and that each declared name is a standard term. A name
// that two modules export has two meanings.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { runAsGate } from './gate.mjs'
import { readModules } from './modules.mjs'

const isTest = (file) => /\.(?:test|spec)\.tsx?$/.test(file)

/** Each set of fixtures of the end-to-end tests is named `test`, which is Playwright's convention. */
const isFixture = (file, name) => file.startsWith('e2e/') && name === 'test'

/** The names that a module declares and exports. A re-export has the same meaning. */
function listExports(root, file) {
  const { module } = parseSync(file, readFileSync(path.join(root, file), 'utf8'))
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest, exportName }) => moduleRequest === null && exportName.name !== null)
    .map(({ exportName }) => exportName.name)
}

/** Metaphors, and verbs that say nothing about the value. No declared name and no file name contains one of them. */
const refusedWords =
  'bell deeds desk journey manners pulse sealed stand-in torture verdict asked heard said told'.split(' ')
const refusedWord = new RegExp(`(?<![a-z])(?:${refusedWords.join('|')})(?![a-z])`)

/** Participles and pronouns. No declared name is one of them. They describe a noun: `deletedRow`, `ownLeads`. */
const refusedNames = new Set(
  (
    'anybody anyone everybody everyone hers mine nobody ours somebody someone theirs thing things whose yours ' +
    'beating began begun came coming followed forgot got gone had heard judged met rung saw taken took'
  ).split(' '),
)

/** The words of a name in lower case: `bytesTaken` is `bytes taken`. */
const splitWords = (name) => name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()

const isRefused = (name) => refusedNames.has(name) || refusedWord.test(splitWords(name))

/** The names that a pattern such as `{ a, b: [c] }` declares. */
function listBindings(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => listBindings(property.argument ?? property.value))
    case 'ArrayPattern':
      return pattern.elements.flatMap(listBindings)
    case 'AssignmentPattern':
      return listBindings(pattern.left)
    case 'RestElement':
      return listBindings(pattern.argument)
    default:
      return []
  }
}

/** The names of the variables, parameters, functions, types and members that a module declares. */
function listDeclarations(root, file) {
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'))
  const names = new Set()
  const addAll = (patterns) => patterns.flatMap(listBindings).forEach((name) => names.add(name))
  const addFunction = ({ id, params }) => addAll([id, ...params])
  const addMember = ({ key, computed }) => addAll(computed ? [] : [key])
  const addType = ({ id }) => addAll([id])
  new Visitor({
    VariableDeclarator: ({ id }) => addAll([id]),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    ClassDeclaration: addType,
    TSInterfaceDeclaration: addType,
    TSTypeAliasDeclaration: addType,
    TSPropertySignature: addMember,
    TSMethodSignature: addMember,
    PropertyDefinition: addMember,
    MethodDefinition: addMember,
  }).visit(program)
  return [...names]
}

/** @returns {{problems: string[], names: number}} */
export function checkNames(root) {
  const files = new Map()
  const refusals = []
  for (const { file } of readModules(root)) {
    for (const name of [path.basename(file), ...listDeclarations(root, file)].filter(isRefused))
      refusals.push(`${file}: '${name}' is no standard term. Name what it holds or does.`)
    if (isTest(file)) continue
    const [workspace] = file.split('/')
    for (const name of new Set(listExports(root, file))) {
      if (isFixture(file, name)) continue
      const key = `${workspace} ${name}`
      files.set(key, [...(files.get(key) ?? []), file])
    }
  }
  const doubledNames = [...files]
    .filter(([, of]) => of.length > 1)
    .map(
      ([key, of]) =>
        `${key.replace(' ', ': ')} is exported by ${of.join(' and ')}. Give each meaning its own name.`,
    )
  return { problems: [...doubledNames, ...refusals], names: files.size }
}

runAsGate(import.meta, (root) => {
  const { problems, names } = checkNames(root)
  return { problems, summary: `${names} names` }
})
