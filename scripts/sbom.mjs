// npm run sbom [-- file]: writes the software bill of materials (CycloneDX JSON) of the production packages.
// Runs on Node 20 or later with nothing installed.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fail, isStarted, npmCommand, root } from './install.mjs'

/** The workspaces of the product. The others are tools and tests. */
const product = new Set(['contract', 'server', 'web'])

/** Licences of packages whose package.json names a file instead, as CycloneDX names them. */
const licencesInFiles = { 'dejavu-fonts-ttf': 'Bitstream Vera Fonts and Arev Fonts' }

/** `name@version` of each package that production installs or the web contains, by package-lock.json. */
export function productionPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return new Set(
    Object.entries(packages)
      .filter(([place, { link, dev }]) =>
        place.includes('node_modules/') ? !link && !dev : place === '' || product.has(place),
      )
      .map(([place, { name, version }]) => `${name ?? place.split('node_modules/').pop()}@${version}`),
  )
}

/**
 * Creates the bill of materials. It filters npm's bill of all packages, because with --omit=dev npm omits packages of
 * production that a tool needs too.
 */
export function makeBill() {
  const [command, ...first] = npmCommand()
  const args = [...first, 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (result.status !== 0) fail(`"npm sbom" failed: ${result.error?.message ?? result.stderr.trim()}`)
  const bill = JSON.parse(result.stdout)
  const productionNames = productionPackages()
  // npm writes the name of the folder.
  bill.metadata.component.name = 'karvon'
  bill.components = bill.components
    .filter((component) => productionNames.has(component['bom-ref']))
    .map((component) => ({ ...component, name: component['bom-ref'].replace(/@[^@]+$/, '') }))
    .map((component) => {
      const name = licencesInFiles[component.name]
      return name === undefined ? component : { ...component, licenses: [{ license: { name } }] }
    })
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => productionNames.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((dependency) => productionNames.has(dependency)),
    }))
  return bill
}

if (isStarted(import.meta)) {
  const file = resolve(process.argv[2] ?? join(root, 'sbom.cdx.json'))
  const bill = makeBill()
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
  console.log(`${bill.components.length} components are in ${file}.`)
}
