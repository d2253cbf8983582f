import { readFileSync } from 'node:fs'
import path from 'node:path'

const setting = /\b(?:KARVON_[A-Z][A-Z0-9_]*[A-Z0-9]|DATABASE_URL)\b/g
/** Files that read the product's environment. */
const isConfig = (file) => /^server\/src\/config(?:\.[\w-]+)?\.ts$/.test(file) && !file.includes('.test.')
/** Files that read settings of tools and tests. Pages may name these settings. The table of settings need not. */
const isTool = (file) =>
  /^(?:scripts|e2e|bench|stress|server\/test)\/.*\.(?:mjs|ts)$|^[^/]+\/[^/]+\.config\.ts$/.test(file)

const settingsPage = 'docs/configuration.md'

/** Settings that a page names and no code reads, and settings that the code reads and the table of settings lacks. */
export function settingProblems({ root, files, pages }) {
  const read = (isSelected) =>
    new Set(
      files
        .filter(isSelected)
        .flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(setting) ?? []),
    )
  const product = read(isConfig)
  const tools = read(isTool)
  const unreadSettings = [...pages].flatMap(([file, page]) =>
    page.lines.flatMap(({ at, text }) =>
      (text.match(setting) ?? [])
        .filter((name) => !product.has(name) && !tools.has(name))
        .map(
          (name) =>
            `${file}:${at}: no code reads ${name}. Correct the name, or read it in server/src/config.ts.`,
        ),
    ),
  )
  const rows = pages.get(settingsPage)?.lines.filter(({ text }) => text.trimStart().startsWith('|')) ?? []
  const documentedNames = new Set(rows.flatMap(({ text }) => text.match(setting) ?? []))
  const undocumentedNames = [...product]
    .filter((name) => !documentedNames.has(name))
    .map(
      (name) =>
        `${settingsPage}: the table of settings has no row for ${name}, which server/src/config.ts reads. Add it.`,
    )
  return [...unreadSettings, ...undocumentedNames]
}
