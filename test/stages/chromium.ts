import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { chromium } from 'playwright'
import { bin, runProgram } from './stage.ts'

const debianPath = '/usr/bin/chromium'
const debianShellPath = '/usr/bin/chromium-headless-shell'

const ownPath = () => {
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : undefined
}

const installFromDebian = async () => {
  const isRoot = process.getuid?.() === 0
  if (platform() !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get')) return undefined
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await runProgram('apt-get', ['update', '-q'], { env })
  const install = (name: string) =>
    runProgram('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { env, show: true })
  await install('chromium')
  if (!existsSync(debianPath)) return undefined
  // Not every Debian has it; without it the stories only take longer.
  await install('chromium-headless-shell')
  return debianPath
}

const installFromPlaywright = async () => {
  await runProgram(bin('playwright'), ['install', 'chromium'], { show: true })
  return ownPath()
}

/**
 * The browser for the stories: the one named, Debian's, Playwright's own, or one installed now.
 * @throws when `CHROMIUM_PATH` names nothing, or when none can be had.
 */
export async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH="${named}": there is no such file`)
    return named
  }
  if (existsSync(debianPath)) return debianPath
  const own = ownPath()
  if (own) return own
  console.log('   No browser here; installing one…')
  const installed = (await installFromDebian()) ?? (await installFromPlaywright())
  if (!installed)
    throw new Error(
      'No browser could be installed. Install Chromium and name it: CHROMIUM_PATH=/path/to/chromium npm test',
    )
  return installed
}

/** The browser without a window around it, where Debian's is there: it draws the same pages for a fifth less of the processor. */
export const findShell = (browser: string): string =>
  browser === debianPath && existsSync(debianShellPath) ? debianShellPath : browser
