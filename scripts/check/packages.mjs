// Checks that package-lock.json has the hash of every package, and that npm runs no install scripts of packages.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runAsGate } from './gate.mjs'

const strongHash = /^sha512-[\w+/]{86}==$/

/** @returns {{problems: string[], packages: number}} */
export function checkPackages(root) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const packages = Object.entries(lock.packages).filter(
    ([place, entry]) => place.includes('node_modules/') && !entry.link,
  )
  const problems = packages.flatMap(([place, { integrity = '', resolved }]) => [
    ...(strongHash.test(integrity)
      ? []
      : [`package-lock.json: ${place} has no sha512 integrity, so npm would install any bytes.`]),
    ...(resolved === undefined ? [] : [`package-lock.json: ${place} comes from outside the registry.`]),
  ])
  const settings = path.join(root, '.npmrc')
  if (!existsSync(settings) || !/^ignore-scripts=true$/m.test(readFileSync(settings, 'utf8')))
    problems.push('.npmrc: install scripts run. Write ignore-scripts=true.')
  return { problems, packages: packages.length }
}

runAsGate(import.meta, (root) => {
  const { problems, packages } = checkPackages(root)
  return { problems, summary: `${packages} packages` }
})
