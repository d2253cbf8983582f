import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium as playwright, type Browser, type BrowserContext } from '@playwright/test'

/** The file of a browser, and additions to its environment. */
export interface Chromium {
  executablePath: string
  env: Record<string, string>
}

const unpack = `
  const { default: chromium } = await import('@sparticuz/chromium')
  process.stdout.write(await chromium.executablePath())
`

const canRun = (path: string, env: Record<string, string>) =>
  spawnSync(path, ['--version'], { env: { ...process.env, ...env }, timeout: 20_000 }).status === 0

/**
 * Chromium from the first place that has one: `CHROMIUM_PATH`, the one inside the npm package, which needs no system
 * package and is the same everywhere, Playwright's own, or the system's.
 */
export function findChromium(): Chromium {
  const configuredPath = process.env['CHROMIUM_PATH']
  if (configuredPath !== undefined && canRun(configuredPath, {}))
    return { executablePath: configuredPath, env: {} }
  const packagedChromium = unpackChromium()
  if (packagedChromium !== null) return packagedChromium
  for (const path of [playwright.executablePath(), '/usr/bin/chromium'])
    if (existsSync(path) && canRun(path, {})) return { executablePath: path, env: {} }
  throw new Error('No Chromium runs here. Install one and name it in CHROMIUM_PATH, then run npm test again.')
}

/**
 * Unpacks the browser of the npm package once into `.cache/`, in one folder for each user, because the user owns the file.
 * The package includes libraries and fonts. Returns null if the browser does not run on this machine.
 */
function unpackChromium(): Chromium | null {
  const folder = join(import.meta.dirname, '..', '..', '.cache', `chromium-${process.getuid?.() ?? 0}`)
  mkdirSync(folder, { recursive: true })
  const executablePath = execFileSync(process.execPath, ['--input-type=module', '-e', unpack], {
    cwd: import.meta.dirname,
    // The package unpacks its libraries only if it detects AWS Lambda.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    encoding: 'utf8',
  })
  // Without a UTF-8 locale Chromium calls a file with a Cyrillic name "download".
  const ownEnv = { FONTCONFIG_FILE: configureFonts(folder), LC_ALL: 'C.UTF-8' }
  const packageEnv = { ...ownEnv, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  for (const env of [ownEnv, packageEnv]) if (canRun(executablePath, env)) return { executablePath, env }
  return null
}

/** The package's configuration expects its fonts in /tmp. Without fonts Chromium crashes. */
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

/** Chromium's sandbox needs a privilege that containers lack. */
function launchOptions(): { executablePath: string; env: Record<string, string>; args: string[] } {
  const { executablePath, env } = findChromium()
  return {
    executablePath,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  }
}

/** Launches the browser. The caller closes it. */
export const launchChromium = (): Promise<Browser> => playwright.launch(launchOptions())

/** Launches the browser with a profile in `folder`, whose storage other tools see as well. The caller closes it. */
export function launchPersistentChromium(folder: string, args: readonly string[]): Promise<BrowserContext> {
  const options = launchOptions()
  return playwright.launchPersistentContext(folder, { ...options, args: [...options.args, ...args] })
}
