import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './install.mjs'
import { makeBill } from './sbom.mjs'

test('the bill of materials lists the production packages with hashes, and no tools', () => {
  const bill = makeBill()
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'karvon' } } })
  const refs = new Set(bill.components.map((component) => component['bom-ref']))

  for (const workspace of ['contract', 'server', 'web']) {
    const { dependencies } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
    const direct = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)
    expect(direct.filter((ref) => !refs.has(ref))).toEqual([])
  }
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(bill.components.filter(({ name }) => ['vitest', 'typescript', 'knip'].includes(name))).toEqual([])
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(['vitest', 'typescript', 'knip']))

  const outside = bill.components.filter(({ name }) => !name.startsWith('@karvon/'))
  expect(outside.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512').map(({ name }) => name)).toEqual([])
  expect(outside.filter(({ licenses }) => !licenses?.length).map(({ name }) => name)).toEqual([])
  const targets = bill.dependencies.flatMap(({ dependsOn }) => dependsOn)
  expect(targets.filter((ref) => !refs.has(ref))).toEqual([])
})
