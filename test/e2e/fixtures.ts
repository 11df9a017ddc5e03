import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
} from 'playwright/test'
import { paths } from '#shared/kernel/paths.ts'
import type { AMember } from '#test/helpers/actors.ts'
import { root } from '#test/helpers/sources.ts'
import { type Engine, type Org, Site } from './server.ts'

export { expect, type Locator, type Page } from 'playwright/test'
export type { Org } from './server.ts'
export { Site } from './server.ts'

/** Collects everything the browser complains about, except what a story announced as expected. */
export class Complaints {
  readonly #found: string[] = []
  readonly #announced: RegExp[] = []

  /** Announces an expected complaint: `404 GET /org/x/nowhere`, or a line of the console. */
  announce(...patterns: RegExp[]) {
    this.#announced.push(...patterns)
  }

  get unannounced(): string[] {
    return this.#found.filter(line => !this.#announced.some(pattern => pattern.test(line)))
  }

  watch(context: BrowserContext) {
    context.on('console', message => {
      if (message.type() !== 'error' && message.type() !== 'warning') return
      // The response itself is recorded below, with its method.
      if (message.text().startsWith('Failed to load resource: the server responded')) return
      this.#found.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', error => this.#found.push(`uncaught: ${error.error().stack || error.error().message}`))
    context.on('response', response => {
      if (response.status() < 400) return
      const { pathname, search } = new URL(response.url())
      this.#found.push(`${response.status()} ${response.request().method()} ${pathname}${search}`)
    })
  }
}

const axeSource = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown; failureSummary?: string }[] }[]
}

const expectNoViolation = async (page: Page, runOnly: { type: 'tag' | 'rule'; values: readonly string[] }) => {
  // Half a megabyte, so it is loaded once per document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const look = async () => {
    // During a colour transition the contrast is not final. Animations that never end, or that scrolling drives, are not waited for.
    await page.waitForFunction(() =>
      document
        .getAnimations()
        .every(
          one =>
            one.playState !== 'running' ||
            one.timeline !== document.timeline ||
            one.effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
        ),
    )
    const { violations } = await page.evaluate(
      only =>
        (globalThis as unknown as { axe: { run(root: Document, options: unknown): Promise<AxeResult> } }).axe.run(
          document,
          // Axe would request the page's stylesheets again, which may be blocked on purpose.
          { runOnly: only, resultTypes: ['violations'], preload: false },
        ),
      runOnly,
    )
    return violations
  }
  const first = await look()
  // Beside a bar that stays in sight, a target is too near at one place of the scroll only.
  for (const { id, nodes } of first)
    if (id === 'target-size')
      await page.evaluate(
        ([selector]) => document.querySelector(selector ?? '')?.scrollIntoView({ block: 'center' }),
        [String(nodes[0]?.target)],
      )
  // A violation that is gone at the second check was in a colour transition that began between the checks.
  const violations = first.length ? await look() : first
  expect(
    violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map(node => `  ${node.target}: ${node.failureSummary}`).join('\n')}`,
    ),
    `axe on ${page.url()}`,
  ).toEqual([])
}

/** No violation of WCAG 2.2 AA in the current page. */
export const expectAccessible = (page: Page) => expectNoViolation(page, { type: 'tag', values: axeTags })

/** Checks only these rules: best practices outside WCAG. */
export const expectAxeRules = (page: Page, rules: readonly string[]) =>
  expectNoViolation(page, { type: 'rule', values: rules })

/** One main part, one title, and headings in order. */
export const outlineRules = ['landmark-one-main', 'landmark-no-duplicate-main', 'page-has-heading-one', 'heading-order']

/** The page does not overflow horizontally. */
export const expectNoSidewaysScroll = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    `width of ${page.url()}`,
  ).toBeLessThanOrEqual(0)

/** Presses Tab until the target has the focus, without a mouse. */
export const tabTo = async (page: Page, target: Locator) => {
  for (let i = 0; i < 120; i += 1) {
    if (await target.evaluate(node => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`120 presses of Tab did not reach ${target}`)
}

/** Saves a screenshot in test-results, for debugging: `PICTURES=1 npm run e2e -- NAME`. */
export const picture = async (page: Page, name: string) => {
  if (!process.env.PICTURES) return
  const info = test.info()
  const path = info.outputPath(`${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  await info.attach(name, { path, contentType: 'image/png' })
}

/** Puts a person's session cookie into a browser. */
export const signIn = (context: BrowserContext, site: Site, person: Pick<AMember, 'sessionCookie'>) =>
  context.addCookies([{ ...person.sessionCookie, url: site.url, httpOnly: true, sameSite: 'Lax' }])

/**
 * `page.route` for an open page, in force when it returns. The browser enables interception of an open page a moment
 * later; requests in between are not intercepted.
 */
export const intercept = async (page: Page, ...[pattern, handler]: Parameters<Page['route']>) => {
  const probe = /\/readyz\?intercepted$/
  await page.route(pattern, handler)
  await page.route(probe, route => route.fulfill({ status: 204 }))
  await page.waitForFunction(async () => (await fetch('/readyz?intercepted')).status === 204)
  await page.unroute(probe)
}

interface StoryFixtures {
  /** `fresh`: an installation of its own without any account; `shared`: the worker's. */
  installation: 'shared' | 'fresh'
  site: Site
  complaints: Complaints
  /** A new organization on the simulator; `page` is signed in as its owner. */
  org: Org
  /** Another browser, watched like the first; signed in if a person is given. */
  another(person?: AMember, options?: BrowserContextOptions): Promise<Page>
  /** Opens the inbox and waits until its stream is open and every control is hydrated. */
  openInbox(page?: Page, phone?: string): Promise<void>
}

/** What a worker provides to all its stories; the project chooses `engine`. */
export interface WorkerFixtures {
  engine: Engine
  /** Each story has a site of its own, in front of another that has the conversations. */
  isFront: boolean
  sharedSite: () => Promise<Site>
}

/**
 * On a slow machine the stream opens before the last part is hydrated, and a Tab in between would skip its controls.
 */
const untilTakenOver = (page: Page) =>
  page.waitForFunction(() => {
    const parts = [...document.querySelectorAll('main :is(article, button, textarea)')]
    const isTaken = (part: Element) => Object.keys(part).some(key => key.startsWith('__reactProps$'))
    return parts.length > 0 && parts.every(isTaken)
  })

export const test = base.extend<StoryFixtures, WorkerFixtures>({
  engine: ['sqlite', { option: true, scope: 'worker' }],
  isFront: [false, { option: true, scope: 'worker' }],
  sharedSite: [
    async ({ engine }, use) => {
      let starting: Promise<Site> | undefined
      await use(() => {
        starting ??= Site.start(engine)
        return starting
      })
      await (await starting)?.end()
    },
    { scope: 'worker' },
  ],
  installation: ['shared', { option: true }],
  site: async ({ installation, sharedSite, engine, isFront }, use) => {
    if (installation === 'shared' && !isFront) return use(await sharedSite())
    const site = isFront ? await Site.startFront() : await Site.start(engine)
    await use(site)
    await site.end()
  },
  baseURL: async ({ site }, use) => use(site.url),
  complaints: [
    async ({ context, site }, use) => {
      const complaints = new Complaints()
      complaints.watch(context)
      const before = site.complaints.length
      await use(complaints)
      expect(
        complaints.unannounced,
        'errors and warnings in the browser: fix them, or announce expected ones with complaints.announce',
      ).toEqual([])
      expect(site.complaints.slice(before), 'warnings and errors in the server log').toBe('')
    },
    { auto: true },
  ],
  org: async ({ site, context }, use) => {
    const org = await site.org()
    await signIn(context, site, org.owner)
    await use(org)
  },
  another: async ({ browser, contextOptions, complaints, site }, use) => {
    const opened: BrowserContext[] = []
    await use(async (person, options) => {
      const context = await (browser as Browser).newContext({ ...contextOptions, baseURL: site.url, ...options })
      opened.push(context)
      complaints.watch(context)
      if (person) await signIn(context, site, person)
      return context.newPage()
    })
    for (const context of opened) await context.close()
  },
  openInbox: async ({ page, org }, use) => {
    await use(async (visitor = page, phone) => {
      // A message that just arrived becomes a conversation a moment later.
      if (phone) await org.untilKnown(phone, 20_000)
      const stream = visitor.waitForResponse(response => new URL(response.url()).pathname === '/api/sse')
      await visitor.goto(phone ? paths.chat(org.slug, phone) : paths.chats(org.slug))
      await stream
      await untilTakenOver(visitor)
    })
  },
})
