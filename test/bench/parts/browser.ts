import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright'

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const program = existsSync(path) ? { executablePath: path } : {}
const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Chromium without its background requests. */
export const launch = (): Promise<Browser> => chromium.launch({ args, ...program })

/** Starts Chromium as a process of its own with an empty profile, which other programs can control. */
export const launchOwn = (more: readonly string[]): Promise<BrowserContext> =>
  chromium.launchPersistentContext('', { args: [...args, ...more], ...program })

/** Puts the value of a `cookie` header into a browser. */
export const bring = (context: BrowserContext, url: string, cookie: string): Promise<void> => {
  const [name, value] = [cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1)]
  return context.addCookies([{ name, value, url: new URL(url).origin }])
}
