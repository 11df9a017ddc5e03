import { defineConfig } from 'playwright/test'
import type { WorkerFixtures } from './fixtures.ts'

/** The browser is found (or brought) by `test/stages/chromium.ts`; run through `npm test` or `npm run e2e`. */
const browserPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const shellPath = process.env.CHROMIUM_SHELL_PATH ?? browserPath

/**
 * The first are Playwright's own, which a second `--disable-features` would undo; the others draw the suggestions of the
 * address bar, which no story looks at, as two pages beside each page.
 */
const withoutFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]

/** Played a second time by two processes on PostgreSQL: what many see at once, and what a restart must not lose. */
const mainStories = ['main-job', 'live', 'presence', 'assignment']
/** How a page looks does not depend on the engine: of the four looks it is played in one. */
const otherLooks = /(?:es, dark|en, light|en, dark), /

/** What needs a browser with a window around it: its viewer of PDFs, its notifications, what it records. */
const inWindow = ['media-viewer', 'notifications-browser', 'voice'].map(story => `**/${story}.spec.ts`)
const launchOptions = (executablePath: string) => ({
  executablePath,
  // As root Chromium refuses its sandbox; the others keep it from calling home during a test.
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    // A microphone that beeps, for whoever is allowed to hear it.
    '--use-fake-device-for-media-stream',
    '--disable-background-networking',
    `--disable-features=${withoutFeatures.join(',')}`,
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
})

export default defineConfig<object, WorkerFixtures>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results/browser',
  fullyParallel: true,
  // Stories wait as much as they work; each worker has a server and a browser of its own.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // What holds, holds at once; the rest is for machines that do something else besides.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json']],
  projects: [
    { name: 'sqlite', testIgnore: inWindow },
    { name: 'window', testMatch: inWindow, use: { launchOptions: launchOptions(browserPath) } },
    {
      name: 'postgres',
      testMatch: mainStories.map(story => `**/${story}.spec.ts`),
      grepInvert: otherLooks,
      use: { engine: 'postgres' },
    },
  ],
  use: {
    browserName: 'chromium',
    headless: true,
    locale: 'es-AR',
    timezoneId: 'America/Argentina/Buenos_Aires',
    // A trace costs a fifth of the time: `npm run e2e -- --trace on NAME` where a picture says too little.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: launchOptions(shellPath),
  },
})
