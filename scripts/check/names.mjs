// Checks that each exported name has one meaning in its workspace, and that each declared name is a standard term. A name
// that two modules export has two meanings.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { runAsGate } from './gate.mjs'
import { readModules } from './modules.mjs'

const isTest = (file) => /\.(?:test|spec)\.tsx?$/.test(file)

const isProduct = (file) => /^(?:contract|server|web)\/src\//.test(file) && !isTest(file)

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

/** More of them. No variable, parameter and function of the product is one of them, but a field may be. */
const refusedLocals = new Set(
  (
    'abandoned aborted accepted acknowledged acquired added adjusted affected allowed announced another ' +
    'answered anything applied approved archived arrived attempted audited authenticated bitten blocked ' +
    'blown borne both bought bounded bred broken brought cached cancelled caught checked chosen chunked ' +
    'claimed clipped closed collected combined committed compared composed configured confirmed connected ' +
    'continued copied corrected counted covered created damaged dated deactivated dealt decided declined ' +
    'decoded decrypted deleted delisted delivered denied derived described detached detected disabled ' +
    'displayed documented doubled downloaded dragged drained drawn driven dropped earned eaten either ' +
    'emptied encoded encrypted ended enhanced escaped evaluated every everything excluded expired failed ' +
    'fallen fed felt fetched few filled finished fixed focused folded forbidden forged forgiven formatted ' +
    'forwarded fought found frozen generated given grouped grown guarded he held hidden hit hung ' +
    'identified ignored imported indexed infected inherited injected inserted intercepted interrupted it ' +
    'itself joined kept keyed killed known labelled laid leaked leased led lent linked loaded locked ' +
    'logged lost made mailed malformed many mapped marked masked matched meant measured merged migrated ' +
    'misplaced missed mixed most mounted moved muted needed negated neither nested none normalised ' +
    'normalized nothing nowhere numbered observed occupied offered omitted oneself opened ordered ' +
    'orphaned other others overridden owed owned packaged packed padded paid parsed partitioned passed ' +
    'paused picked piped pipelined placed planned planted played pointed pooled posted preferred prepared ' +
    'previewed printed processed promoted protected proven published purchased queried queued quoted ' +
    'ranged reached received recognised recorded recounted reduced refused registered rejected related ' +
    'remapped removed renamed rendered repeated replayed reported requested required reserved resolved ' +
    'restarted restricted retried returned reversed risen rounded routed saved scanned scheduled scripted ' +
    'searched secured seeded seen selected sent serialised served settled several shaken shared she ' +
    'shifted shipped shown shuffled signed simulated sized skipped snoozed sold some something somewhere ' +
    'sorted specified spelled spent spoken stalled started stated stolen stopped stored struck stuck ' +
    'subtracted supported suspected swept themselves these they this thought thrown timed torn touched ' +
    'tracked transformed tried trimmed truncated typed unconfirmed understood undescribed undone unmapped ' +
    'unread unrecognised unseen unsettled unsigned unused updated uploaded us used visited waited watched ' +
    'we which who whom withdrawn woken won worked worn wrapped'
  ).split(' '),
)

/** The words of a name in lower case: `bytesTaken` is `bytes taken`. */
const splitWords = (name) => name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()

const isRefused = (name) => refusedNames.has(name) || refusedWord.test(splitWords(name))

/** The names that a pattern such as `{ a, b: [c] }` declares. `ownOnly`: without those of fields, such as `a`. */
function listBindings(pattern, ownOnly = false) {
  const listOf = (inner) => listBindings(inner, ownOnly)
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties
        .filter(({ shorthand }) => !(ownOnly && shorthand))
        .flatMap((property) => listOf(property.argument ?? property.value))
    case 'ArrayPattern':
      return pattern.elements.flatMap(listOf)
    case 'AssignmentPattern':
      return listOf(pattern.left)
    case 'RestElement':
      return listOf(pattern.argument)
    default:
      return []
  }
}

/**
 * `names`: those of the variables, parameters, functions, types and members that a module declares. `locals`: those of
 * its variables, parameters and functions, without the ones that are also names of fields.
 */
function listDeclarations(root, file) {
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'))
  const names = new Set()
  const locals = new Set()
  const addAll = (patterns) => {
    for (const name of patterns.flatMap((pattern) => listBindings(pattern))) names.add(name)
  }
  const addLocals = (patterns) => {
    addAll(patterns)
    for (const name of patterns.flatMap((pattern) => listBindings(pattern, true))) locals.add(name)
  }
  // The parameter `this` of TypeScript names the type of the object that a method belongs to.
  const addFunction = ({ id, params }) => addLocals([id, ...params.filter(({ name }) => name !== 'this')])
  const addMember = ({ key, computed }) => addAll(computed ? [] : [key])
  const addType = ({ id }) => addAll([id])
  new Visitor({
    VariableDeclarator: ({ id }) => addLocals([id]),
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
  return { names: [...names], locals: [...locals] }
}

/** @returns {{problems: string[], names: number}} */
export function checkNames(root) {
  const files = new Map()
  const refusals = []
  for (const { file } of readModules(root)) {
    const { names, locals } = listDeclarations(root, file)
    for (const name of [path.basename(file), ...names].filter(isRefused))
      refusals.push(`${file}: '${name}' is no standard term. Name what it holds or does.`)
    for (const name of isProduct(file) ? locals.filter((local) => refusedLocals.has(local)) : [])
      refusals.push(
        `${file}: '${name}' is a participle or a pronoun. Name the thing that it holds or what it does.`,
      )
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
