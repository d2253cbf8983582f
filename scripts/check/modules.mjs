import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { projectFiles } from '../files.mjs'

export const packages = ['contract', 'server', 'web', 'testkit', 'e2e', 'bench', 'stress']

const isModule = (file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts')

/** Every TypeScript file of every package under `root`, with its imports and the lines of its SQL. Paths use `/`. */
export function readModules(root) {
  const files = packages.flatMap((name) => projectFiles(root, name)).filter(isModule)
  return files.map((file) => ({ file, ...readModule(root, file) }))
}

/**
 * `imports`: what a file imports, re-exports, imports as a type (`import('x').T`), or names by
 * `new URL('./x.ts', import.meta.url)`, as a worker does. `to` is null for a path that is computed at run time.
 * `statements`: the lines where it writes SQL.
 */
function readModule(root, file) {
  const text = readFileSync(path.join(root, file), 'utf8')
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0].message}`)
  const specifiers = []
  const statements = []
  const lineAt = (at) => text.slice(0, at).split('\n').length
  const note = (specifier, at) => specifiers.push({ specifier, line: lineAt(at) })

  for (const staticImport of module.staticImports) note(staticImport.moduleRequest.value, staticImport.start)
  for (const staticExport of module.staticExports) {
    const from = staticExport.entries.find((entry) => entry.moduleRequest)?.moduleRequest
    if (from) note(from.value, staticExport.start)
  }
  new Visitor({
    ImportExpression: (node) => note(readText(node.source), node.start),
    TSImportType: (node) => note(readText(node.source), node.start),
    NewExpression: (node) => {
      const [first, second] = node.arguments
      if (
        node.callee.name === 'URL' &&
        isImportMeta(second?.object) &&
        /^\.\.?\/.*\.tsx?$/.test(readText(first) ?? '')
      )
        note(readText(first), node.start)
    },
    MemberExpression: (node) => {
      if (isImportMeta(node.object) && node.property.name === 'glob') note(null, node.start)
    },
    TaggedTemplateExpression: (node) => {
      if (node.tag.name === 'sql') statements.push(lineAt(node.start))
    },
    CallExpression: ({ callee }) => {
      if (isQuery(callee)) statements.push(lineAt(callee.property?.start ?? callee.start))
    },
    Literal: (node) => {
      if (isStatement(node.value)) statements.push(lineAt(node.start))
    },
    TemplateLiteral: (node) => {
      if (isStatement(node.quasis[0].value.cooked)) statements.push(lineAt(node.start))
    },
  }).visit(program)
  const imports = specifiers.map(({ specifier, line }) => ({
    specifier,
    line,
    ...resolve(root, file, specifier),
  }))
  return { imports, statements: [...new Set(statements)] }
}

const builders = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'executeQuery',
])

/** True for a call of Kysely such as `db.selectFrom()` and `sql.raw()`, of pg such as `pool.query()`, or of `queryRows`. */
function isQuery(callee) {
  if (callee.name === 'queryRows') return true
  if (callee.type !== 'MemberExpression') return false
  if (callee.object.name === 'sql') return true
  if (callee.property.name !== 'query') return builders.has(callee.property.name)
  const owner = callee.object.property ?? callee.object
  return owner.name === 'pool' || owner.name === 'client'
}

/** True for the text of a statement. A sentence that begins with one of the words begins with a capital letter. */
const isStatement = (text) =>
  typeof text === 'string' &&
  /^\s*(?:select (?:[\w(*]|$)|insert into \w|delete from \w|update \w+ set |with \w+ as )/.test(text)

const isImportMeta = (node) => node?.type === 'MetaProperty'

function readText(node) {
  if (node?.type === 'Literal') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked
  return null
}

/** `to` is a file under the root, the name of a package, or null. `missing` is true for a file that does not exist. */
function resolve(root, file, specifier) {
  if (typeof specifier !== 'string') return { to: null }
  const ownImport = /^@karvon\/([^/]+)(?:\/(.+))?$/.exec(specifier)
  if (!ownImport && !specifier.startsWith('.')) return { to: specifier, external: true }
  const bare = specifier.replace(/\?.*$/, '')
  const to = ownImport
    ? `${ownImport[1]}/src/${ownImport[2] ?? ''}`
    : path.posix.normalize(path.posix.join(path.posix.dirname(file), bare))
  return existsSync(path.join(root, to)) ? { to } : { to, missing: true }
}
