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

/** Only as root on Debian. Without a network it gives up soon. */
const installFromDebian = async (name: string) => {
  const isRoot = process.getuid?.() === 0
  if (platform() !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get')) return
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const { code } = await runProgram('timeout', ['60', 'apt-get', 'update', '-q'], { env })
  if (code !== 0) return
  const options = ['-y', '-q', '--no-remove', '--no-install-recommends']
  await runProgram('timeout', ['300', 'apt-get', 'install', ...options, name], { env, show: true })
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
  await installFromDebian('chromium')
  const installed = existsSync(debianPath) ? debianPath : await installFromPlaywright()
  if (!installed)
    throw new Error(
      'No browser could be installed. Install Chromium and name it: CHROMIUM_PATH=/path/to/chromium npm test',
    )
  return installed
}

/**
 * The browser without a window around it: it draws the same pages for a fifth less of the processor. Beside Debian's
 * browser it is installed if it is missing; without it the stories only take longer.
 */
export async function findShell(browser: string): Promise<string> {
  if (browser !== debianPath) return browser
  if (!existsSync(debianShellPath)) await installFromDebian('chromium-headless-shell')
  return existsSync(debianShellPath) ? debianShellPath : browser
}
