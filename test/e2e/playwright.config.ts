import { defineConfig } from 'playwright/test'
import type { WorkerFixtures } from './fixtures.ts'

/** `test/stages/chromium.ts` finds or installs the browser; run through `npm test` or `npm run e2e`. */
const browserPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const shellPath = process.env.CHROMIUM_SHELL_PATH ?? browserPath

/**
 * The first are Playwright's own, because a second `--disable-features` would replace them; the others create two
 * hidden pages per page for address bar suggestions, which no story uses.
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

/**
 * These also run with two processes on PostgreSQL: what several people see at once, and what a restart must not lose.
 */
const mainStories = ['live', 'assignment', ...(process.env.STORIES === 'all' ? ['main-job', 'presence'] : [])]
/** These also run through a Recado whose product API is another Recado, with all stories. */
const frontStories = ['composer', 'drafts', 'files', 'list', 'live', 'message-kinds', 'notes', 'tags', 'thread']
/** An upstream has no call that searches messages. */
const notInFront = /a search result opens its message|a single conversation is searched|@nightly/
/** The look of a page does not depend on the engine, so PostgreSQL runs one of the four looks. */
const otherLooks = /(?:es, dark|en, light|en, dark), /

/** Needs a browser with a window: its PDF viewer, its notifications, its recordings. */
const inWindow = ['media-viewer', 'notifications-browser', 'voice'].map(story => `**/${story}.spec.ts`)
const launchOptions = (executablePath: string) => ({
  executablePath,
  // As root Chromium refuses its sandbox; the other arguments prevent network requests of its own during a test.
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    // A fake microphone that beeps, for pages with the permission.
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
  // Stories wait as much as they compute; each worker has its own server and browser.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // An expectation that holds is met at once; the long timeout is for busy machines.
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
    ...(process.env.STORIES === 'all'
      ? [
          {
            name: 'front',
            testMatch: frontStories.map(story => `**/${story}.spec.ts`),
            grepInvert: [otherLooks, notInFront],
            use: { isFront: true },
          },
        ]
      : []),
  ],
  use: {
    browserName: 'chromium',
    headless: true,
    locale: 'es-AR',
    timezoneId: 'America/Argentina/Buenos_Aires',
    // A trace costs a fifth of the time: `npm run e2e -- --trace on NAME` if a screenshot is not enough.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: launchOptions(shellPath),
  },
})
