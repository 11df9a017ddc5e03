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
 * The browser for the stories: `CHROMIUM_PATH`, Debian's, Playwright's, or a newly installed one.
 * @throws if `CHROMIUM_PATH` does not exist, or no browser can be installed
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
 * The headless shell, which draws the same pages with a fifth less processor time. It is installed next to Debian's
 * browser if it is missing. Returns the browser itself if there is none.
 */
export async function findShell(browser: string): Promise<string> {
  if (browser !== debianPath) return browser
  if (!existsSync(debianShellPath)) await installFromDebian('chromium-headless-shell')
  return existsSync(debianShellPath) ? debianShellPath : browser
}
