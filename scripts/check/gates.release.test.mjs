import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProjectCopy } from './fixture.mjs'
import { gates, runGate } from './gates.mjs'

const long = Array.from({ length: 301 }, (_, i) => `export const n${i} = ${i}`).join('\n')

// One copy of the project's own settings with a fault for every gate. The test reads the output of each gate.
// `npm run check` shows whether the project itself passes.
const plantedFiles = {
  'contract/src/planted/ugly.ts': `export const ugly = {"a" : 1};\n`,
  'contract/src/planted/wrong.ts': `export const wrong: number = 'text'\nexport const twin = 1\n`,
  'contract/src/planted/twin.ts': `export const twin = 2\n`,
  'contract/src/planted/long.ts': `${long}\n`,
  'server/src/domains/planted/loose.ts': `import fs from 'node:fs/promises'
export function loose(given: any) {
  console.log('planted')
  fs.readFile('a')
  if (given == '1') throw 'text'
  return [1].at(0)!
}
export default loose
`,
  'server/src/domains/planted/skipped.test.ts': `import { expect, test } from 'vitest'\ntest.skip('s', () => expect(1).toBe(1))\ntest('none', () => {})\n`,
  'web/src/features/planted/lonely.module.css': `.a { color: red }\n`,
  'server/src/domains/planted/effect.ts': `globalThis.name = 'planted'\n`,
  'server/src/platform/planted.ts': `import '../domains/planted/loose.ts'\n`,
  'docs/planted.md': '[gone](gone.md)\n',
  'docs/conformance.md': '## 1. Part\n\n| It does | gone.spec.ts › does |\n',
  '.npmrc': 'ignore-scripts=false\n',
  'scripts/planted.md': 'built at /home/somebody/x\n',
}
const folders = ['contract', 'server', 'web', 'scripts', 'docs']

function plantedProject() {
  const webPackage = JSON.parse(readFileSync(new URL('../../web/package.json', import.meta.url), 'utf8'))
  webPackage.dependencies['planted-package'] = '1.0.0'
  return createProjectCopy({ ...plantedFiles, 'web/package.json': JSON.stringify(webPackage) }, folders)
}

const expectedOutput = {
  format: ['contract/src/planted/ugly.ts'],
  lint: [
    'contract/src/planted/long.ts',
    'max-lines',
    'no-explicit-any',
    'no-console',
    'no-floating-promises',
    'only-throw-error',
    'no-non-null-assertion',
    'no-default-export',
    'eqeqeq',
    'no-disabled-tests',
    'expect-expect',
  ],
  types: [
    "contract/src/planted/wrong.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'",
  ],
  layers: ['server/src/platform/planted.ts:1: platform is below domain'],
  names: ['contract: twin is exported by contract/src/planted/twin.ts and contract/src/planted/wrong.ts'],
  unused: [
    'web/src/features/planted/lonely.module.css',
    'contract/src/planted/wrong.ts:1:14',
    'planted-package',
    'server/src/domains/planted/effect.ts: no entry point uses this file',
  ],
  packages: ['.npmrc: install scripts run'],
  words: ['scripts/planted.md:1'],
  docs: ['docs/planted.md:1: the target of the link gone.md does not exist'],
  conformance: ['docs/conformance.md:3: e2e/tests/gone.spec.ts does not exist'],
}

test('every gate has a planted fault', () => {
  expect(Object.keys(expectedOutput)).toEqual(gates.map(({ name }) => name))
})

test.each(gates)('the gate $name reports the planted fault with a remedy', async (gate) => {
  const root = plantedProject()
  const { ok, output } = await runGate(gate, root)
  expect(ok).toBe(false)
  expect(expectedOutput[gate.name].filter((text) => !output.includes(text))).toEqual([])
  expect(gate.remedy).toMatch(/\w{3}.*\./)
})

test.each(gates.filter(({ name }) => name !== 'unused' && name !== 'docs'))(
  'the gate $name fails if there is nothing to read',
  async (gate) => {
    const { ok } = await runGate({ ...gate, commands: [['node', '-e', '0']] }, createProjectCopy({}, []))
    expect(ok).toBe(false)
  },
)
