import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium as playwright, type Browser } from '@playwright/test'

/** A browser to launch: its file, and what its environment needs beside the usual. */
export interface Chromium {
  executablePath: string
  env: Record<string, string>
}

const unpack = `
  const { default: chromium } = await import('@sparticuz/chromium')
  process.stdout.write(await chromium.executablePath())
`

const runs = (path: string, env: Record<string, string>) =>
  spawnSync(path, ['--version'], { env: { ...process.env, ...env }, timeout: 20_000 }).status === 0

/**
 * Chromium from the first place that has one: `CHROMIUM_PATH`, the one inside the npm package, which needs no system
 * package and is the same everywhere, Playwright's own, or the system's.
 */
export function findChromium(): Chromium {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined && runs(named, {})) return { executablePath: named, env: {} }
  const packaged = unpackChromium()
  if (packaged !== null) return packaged
  for (const path of [playwright.executablePath(), '/usr/bin/chromium'])
    if (existsSync(path) && runs(path, {})) return { executablePath: path, env: {} }
  throw new Error('No Chromium runs here. Install one and name it in CHROMIUM_PATH, then run npm test again.')
}

/**
 * The browser of the package, unpacked once into `.cache/`, a folder a user, since the unpacked file belongs to who
 * unpacked it. It brings its libraries and fonts. Null where it does not run, as on another kind of processor.
 */
function unpackChromium(): Chromium | null {
  const folder = join(import.meta.dirname, '..', '..', '.cache', `chromium-${process.getuid?.() ?? 0}`)
  mkdirSync(folder, { recursive: true })
  const executablePath = execFileSync(process.execPath, ['--input-type=module', '-e', unpack], {
    cwd: import.meta.dirname,
    // The package unpacks its libraries too where it believes to run on a bare cloud machine.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    encoding: 'utf8',
  })
  const fonts = { FONTCONFIG_FILE: configureFonts(folder) }
  const own = { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  for (const env of [fonts, own]) if (runs(executablePath, env)) return { executablePath, env }
  return null
}

/** The package's own configuration looks for its fonts in /tmp: without any font Chromium ends at the first text. */
function configureFonts(folder: string): string {
  const file = join(folder, 'fonts.conf')
  const fonts = join(folder, 'fonts')
  const cache = join(folder, 'fonts-cache')
  writeFileSync(
    file,
    `<?xml version="1.0"?>\n<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`,
  )
  return file
}

/** Such a browser, started; whoever starts it closes it. Chromium's sandbox needs a privilege that containers withhold. */
export function launchChromium(): Promise<Browser> {
  const { executablePath, env } = findChromium()
  return playwright.launch({
    executablePath,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}
