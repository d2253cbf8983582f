// Checks the links, anchors, pictures, commands, paths, settings and identifiers in the documents.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { identifierProblems } from './docs.identifiers.mjs'
import { readPage } from './docs.page.mjs'
import { settingProblems } from './docs.settings.mjs'
import { projectFiles } from '../files.mjs'
import { runAsGate } from './gate.mjs'

const required = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/configuration.md']

/** @returns {{problems: string[], pages: number}} */
export function checkDocs(root) {
  const files = projectFiles(root)
  const names = files.filter((file) => required.includes(file) || /^(?:docs|server\/src)\/.+\.md$/.test(file))
  const pages = new Map(names.map((file) => [file, readPage(readFileSync(path.join(root, file), 'utf8'))]))
  const project = { root, files, pages, scripts: listScripts(root) }
  const problems = [
    ...required
      .filter((file) => !pages.has(file))
      .map((file) => `${file} is missing. Write it, or remove it from the list in scripts/check/docs.mjs.`),
    ...[...pages].flatMap(([file, page]) => [
      ...page.links.flatMap((link) => linkProblem(project, file, link)),
      ...page.pictures.flatMap((picture) => pictureProblem(project, file, picture)),
      ...page.lines.flatMap((line) => commandProblems(project, file, line)),
      ...page.code.flatMap((code) => pathProblem(project, file, page, code)),
    ]),
    ...settingProblems(project),
    ...identifierProblems(project),
  ]
  return { problems, pages: pages.size }
}

const isOutside = (target) => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target)
const resolveTarget = (file, name) =>
  path.posix.normalize(path.posix.join(path.posix.dirname(file), decodeURI(name)))

function linkProblem({ root, pages }, file, { at, target }) {
  if (isOutside(target)) return []
  const [name, anchor] = target.split('#')
  const to = name === '' ? file : resolveTarget(file, name)
  if (!existsSync(path.join(root, to)))
    return [`${file}:${at}: the target of the link ${target} does not exist. Correct or remove the link.`]
  if (!anchor || !pages.has(to)) return []
  const { anchors } = pages.get(to)
  if (anchors.has(anchor)) return []
  return [
    `${file}:${at}: ${to} has no heading #${anchor}. It has ${[...anchors].map((heading) => `#${heading}`).join(', ')}.`,
  ]
}

function pictureProblem({ root }, file, { at, target }) {
  if (isOutside(target))
    return [
      `${file}:${at}: the picture ${target} is on another host. Move it to docs/pictures, so that the page is complete without a network.`,
    ]
  if (existsSync(path.join(root, resolveTarget(file, target)))) return []
  return [`${file}:${at}: the picture ${target} does not exist. Create it again or remove it.`]
}

function listScripts(root) {
  const { scripts = {}, workspaces = [] } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const workspaceScripts = new Map(
    workspaces.map((name) => [name, readScripts(path.join(root, name, 'package.json'))]),
  )
  return { top: new Set(Object.keys(scripts)), own: workspaceScripts }
}

function readScripts(file) {
  if (!existsSync(file)) return new Set()
  const { name, scripts = {} } = JSON.parse(readFileSync(file, 'utf8'))
  return new Set([...Object.keys(scripts), name])
}

function commandProblems({ root, scripts }, file, { at, text }) {
  const problems = []
  for (const [command, name, rest] of text.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)([^`|]*)/g)) {
    const isKnown = ['start', 'test'].includes(name) || command.startsWith('npm run ')
    const workspace = /(?:-w|--workspace)[ =](?:@karvon\/)?([\w-]+)/.exec(rest)?.[1]
    const has = workspace ? scripts.own.get(workspace) : scripts.top
    if (isKnown && !has?.has(name))
      problems.push(
        `${file}:${at}: there is no script '${name}' in ${workspace ?? '.'}/package.json. Write the name of an existing script.`,
      )
  }
  for (const [, script] of text.matchAll(/\bnode (?:-\S+ )*((?:[\w.-]+\/)+[\w.-]+\.[mc]?[jt]s)\b/g))
    if (!existsSync(path.join(root, script)))
      problems.push(`${file}:${at}: there is no ${script}. Correct the command.`)
  return problems
}

const extensions = 'ts|tsx|mjs|js|json|jsonc|sql|md|css|html|sh|csv|xlsx|png|svg'
const fileName = new RegExp(`^[\\w.*@-]+\\.(?:${extensions})$`)

function pathProblem({ root, files }, file, page, { at, text }) {
  // Patterns (NNNN_what.sql, domain.role.ts), URLs, packages and folders that exist only at run time are not checked.
  if (/[\s<>…$:]|NNNN|\.\.\.|^(?:[/@]|\.\/|domain\.)/.test(text)) return []
  const isPath = text.includes('/') && existsSync(path.join(root, text.split('/')[0]))
  const isName = !text.includes('/') && fileName.test(text)
  if ((!isPath && !isName) || page.newPaths.some((newPath) => text.startsWith(newPath))) return []
  // A superseded decision may name files that no longer exist.
  if (page.lines.some((line) => /superseded by/i.test(line.text))) return []
  const missing = expandBraces(text.replace(/\/$/, '')).filter(
    (expandedPath) => !hasFile(root, files, expandedPath, isPath),
  )
  return missing.map(
    (missingPath) =>
      `${file}:${at}: ${missingPath} does not exist. Write an existing path. Declare files that a recipe creates by <!-- new: folder -->.`,
  )
}

/** `a.{b,c}` stands for `a.b` and `a.c`. */
function expandBraces(text) {
  const braces = /\{([^}]+)\}/.exec(text)
  if (!braces) return [text]
  return braces[1].split(',').flatMap((part) => expandBraces(text.replace(braces[0], part.trim())))
}

function hasFile(root, files, text, fromRoot) {
  if (fromRoot && !text.includes('*')) return existsSync(path.join(root, text))
  const pattern = text
    .split('*')
    .map((part) => part.replace(/[.+^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]*')
  const pathPattern = new RegExp(fromRoot ? `^${pattern}(?:/|$)` : `(?:^|/)${pattern}$`)
  return files.some((file) => pathPattern.test(file))
}

runAsGate(import.meta, (root) => {
  const { problems, pages } = checkDocs(root)
  return { problems, summary: `${pages} pages` }
})
