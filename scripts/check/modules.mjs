import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

export const packages = ['contract', 'server', 'web', 'testkit', 'e2e', 'bench', 'stress']

const skipped = new Set(['node_modules', 'dist', 'data', 'results', 'test-results'])
const isModule = (file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts')

/** Every TypeScript file of every package under `root`, with what each imports. Paths use `/`. */
export function readModules(root) {
  const files = packages.flatMap((name) => walk(root, name)).filter(isModule)
  return files.map((file) => ({ file, imports: importsOf(root, file) }))
}

function walk(root, folder) {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : walk(root, file)
    return [file]
  })
}

/**
 * What a file imports, re-exports, imports as a type (`import('x').T`), or names by
 * `new URL('./x.ts', import.meta.url)`, as a worker does. `to` is null where nobody can tell before it runs.
 */
function importsOf(root, file) {
  const text = readFileSync(path.join(root, file), 'utf8')
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0].message}`)
  const named = []
  const note = (specifier, at) => named.push({ specifier, line: text.slice(0, at).split('\n').length })

  for (const each of module.staticImports) note(each.moduleRequest.value, each.start)
  for (const each of module.staticExports) {
    const from = each.entries.find((entry) => entry.moduleRequest)?.moduleRequest
    if (from) note(from.value, each.start)
  }
  new Visitor({
    ImportExpression: (node) => note(textOf(node.source), node.start),
    TSImportType: (node) => note(textOf(node.source), node.start),
    NewExpression: (node) => {
      const [first, second] = node.arguments
      if (
        node.callee.name === 'URL' &&
        isMeta(second?.object) &&
        /^\.\.?\/.*\.tsx?$/.test(textOf(first) ?? '')
      )
        note(textOf(first), node.start)
    },
    MemberExpression: (node) => {
      if (isMeta(node.object) && node.property.name === 'glob') note(null, node.start)
    },
  }).visit(program)
  return named.map(({ specifier, line }) => ({ specifier, line, ...resolve(root, file, specifier) }))
}

const isMeta = (node) => node?.type === 'MetaProperty'

function textOf(node) {
  if (node?.type === 'Literal') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked
  return null
}

/** `to` is a file under the root, a package's name, or null; `missing` when a file is named that is not there. */
function resolve(root, file, specifier) {
  if (typeof specifier !== 'string') return { to: null }
  const own = /^@karvon\/([^/]+)(?:\/(.+))?$/.exec(specifier)
  if (!own && !specifier.startsWith('.')) return { to: specifier, external: true }
  const bare = specifier.replace(/\?.*$/, '')
  const to = own
    ? `${own[1]}/src/${own[2] ?? ''}`
    : path.posix.normalize(path.posix.join(path.posix.dirname(file), bare))
  return existsSync(path.join(root, to)) ? { to } : { to, missing: true }
}
