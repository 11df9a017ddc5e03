import type { Browser, BrowserContext, CDPSession, Page } from 'playwright'
import { bring, launch } from './browser.ts'
import type { Installation } from './installation.ts'
import { bound, figure, type Line } from './report.ts'
import { median, spreadOf } from './samples.ts'

const slowdown = 4
const showWithinMs = 15_000
const otherOrg = 'Zona Norte'
const otherSlug = 'zona-norte'

/** The element that must be visible, and where. */
interface Sight {
  readonly event: 'click' | 'keydown'
  readonly selector: string
  readonly absent?: string
  readonly path?: string
}

type Waiting = { painted: Promise<number> }

/** Milliseconds from the input event to the frame after the one that first shows the result. */
const timed = async (page: Page, sight: Sight, act: () => Promise<void>): Promise<number> => {
  await page.evaluate(
    ({ event, selector, absent, path, showWithinMs }) => {
      const painted = new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error(`Nothing showed ${selector} at ${path ?? location.pathname}`)), showWithinMs)
        const begin = ({ timeStamp }: Event) => {
          const isThere = () =>
            document.querySelector(selector) &&
            !(absent && document.querySelector(absent)) &&
            (path === undefined || location.pathname === path)
          const look = () => {
            if (isThere()) requestAnimationFrame(() => resolve(performance.now() - timeStamp))
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        }
        addEventListener(event, begin, { capture: true, once: true })
      })
      painted.catch(() => undefined)
      Object.assign(window, { painted })
    },
    { ...sight, showWithinMs },
  )
  await act()
  return page.evaluate(() => (window as unknown as Waiting).painted)
}

interface Opening extends Sight {
  readonly what: string
  act(page: Page): Promise<void>
}

const openings: readonly Opening[] = [
  {
    what: 'palette',
    event: 'keydown',
    selector: 'dialog.palette[open] [cmdk-item]',
    act: page => page.keyboard.press('Control+k'),
  },
  {
    what: 'notifications',
    event: 'click',
    selector: '#notifications:popover-open h2',
    act: page => page.locator('.bell').click(),
  },
  {
    what: 'switcher',
    event: 'click',
    selector: '.menu-orgs:popover-open .menu-org',
    act: page => page.locator('.side-org').click(),
  },
]

const sectionOf = (slug: string, section: string) => `/org/${slug}/${section}`

/** Opens a page and waits until its frame is hydrated and its idle parts are loaded. */
const visit = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage()
  page.setDefaultTimeout(showWithinMs)
  await page.goto(url)
  await page.locator('.tooltip').waitFor({ state: 'attached' })
  await page.waitForTimeout(1500)
  return page
}

const shut = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.waitForTimeout(250)
}

/** Both organizations, and all of the person's in the order of their shortcuts. */
interface Slugs {
  readonly own: string
  readonly other: string
  readonly inOrder: readonly string[]
}

type Samples = Map<string, number[]>
const note = (samples: Samples, what: string, ms: number) => samples.set(what, [...(samples.get(what) ?? []), ms])

const round = async (page: Page, samples: Samples, suffix: string, { own, other, inOrder }: Slugs) => {
  for (const opening of openings) {
    const { what, act, ...sight } = opening
    note(samples, `${what}, first${suffix}`, await timed(page, sight, () => act(page)))
    await shut(page)
    note(samples, `${what}, again${suffix}`, await timed(page, sight, () => act(page)))
    await shut(page)
  }
  const link = (section: string) => page.locator(`.side-nav a[href="${sectionOf(own, section)}"]`)
  const go = (section: string, selector: string) =>
    timed(page, { event: 'click', selector, absent: '.app-content .skeleton', path: sectionOf(own, section) }, () =>
      link(section).click(),
    )
  await go('c', '.row')
  await go('stats', 'main h1')
  note(samples, `to the chats, seen before${suffix}`, await go('c', '.row'))
  note(samples, `to the statistics, seen before${suffix}`, await go('stats', 'main h1'))
  for (const [index, what] of ['another organization, first', 'another organization, again'].entries()) {
    const slug = index === 0 ? other : own
    const sight: Sight = {
      event: 'keydown',
      selector: `.side-nav a[href="${sectionOf(slug, 'stats')}"][aria-current="page"]`,
      absent: '.app-content .skeleton, .side-org [aria-busy="true"]',
      path: sectionOf(slug, 'stats'),
    }
    const digit = inOrder.indexOf(slug) + 1
    note(samples, what + suffix, await timed(page, sight, () => page.keyboard.press(`Control+${digit}`)))
    await page.waitForTimeout(250)
  }
}

/** A second organization of the same person. */
const addOrganization = async (url: string, place: Installation): Promise<Slugs> => {
  const call = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: place.cookies[0] as string, ...headers },
      body: JSON.stringify(body),
    })
  const made = await call('/auth/organization/create', { name: otherOrg, slug: otherSlug })
  if (!made.ok) throw new Error(`The second organization was refused: ${made.status} ${await made.text()}`)
  const viewer = await fetch(`${url}/api/viewer`, { headers: { cookie: place.cookies[0] as string } })
  const { organizations } = (await viewer.json()) as { organizations: { slug: string }[] }
  return { own: place.org.slug, other: otherSlug, inOrder: organizations.map(({ slug }) => slug) }
}

const goalOf = (what: string, isSlow: boolean): number | undefined => {
  if (/^another/.test(what)) return isSlow ? undefined : 300
  if (/^to the/.test(what)) return isSlow ? undefined : 100
  return isSlow ? 150 : 50
}

const rounds = async (
  browser: Browser,
  url: string,
  place: Installation,
  count: number,
  slugs: Slugs,
  rate: number,
) => {
  const samples: Samples = new Map()
  const suffix = rate > 1 ? ', slowed' : ''
  for (let turn = 0; turn < count; turn += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'es-AR' })
    try {
      await bring(context, url, place.cookies[0] as string)
      const page = await visit(context, url + sectionOf(place.org.slug, 'stats'))
      const devtools: CDPSession = await context.newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate })
      await round(page, samples, suffix, slugs)
    } finally {
      await context.close()
    }
  }
  return samples
}

/** Opens panels, navigates and switches organizations in Chromium, at full speed and slowed down. */
export async function measureFrame(url: string, place: Installation, count: number): Promise<Line[]> {
  const slugs = await addOrganization(url, place)
  const browser = await launch()
  try {
    // Warm-up: the server's first renderings must not count.
    await rounds(browser, url, place, 1, slugs, 1)
    const samples = [
      ...(await rounds(browser, url, place, count, slugs, 1)),
      ...(await rounds(browser, url, place, count, slugs, slowdown)),
    ]
    return samples.map(([what, all]) => {
      const goal = goalOf(what, /slowed/.test(what))
      const spread = spreadOf(all)
      if (goal === undefined) return figure(what, spread, 'ms')
      return { ...bound(what, median(all), 'ms', goal), value: figure(what, spread, 'ms').value }
    })
  } finally {
    await browser.close()
  }
}
