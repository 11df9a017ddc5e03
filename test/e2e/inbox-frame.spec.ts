import { seedVolume } from '#server/cli/seed-volume.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { paths } from '#shared/kernel/paths.ts'
import {
  expect,
  expectAxeRules,
  expectNoSidewaysScroll,
  intercept,
  type Page,
  picture,
  signIn,
  test,
} from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const list = (page: Page) => page.getByRole('navigation', { name: 'Conversaciones' })
const rows = (page: Page) => list(page).getByRole('link')
const composer = (page: Page) => page.getByRole('textbox', { name: /^Mensaje para/ })
const widths = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

/** The controls of the frame are in line with the thread's header and cover none of its controls. */
const expectOneLine = async (page: Page) => {
  const boxOf = async (selector: string) =>
    (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const [head, tools, frame] = [
    await boxOf('.thread > .pane-head'),
    await boxOf('.head-tools'),
    await boxOf('.head-actions'),
  ]
  expect(frame.y).toBeGreaterThanOrEqual(head.y)
  expect(frame.y + frame.height).toBeLessThanOrEqual(head.y + head.height)
  expect(tools.x + tools.width).toBeLessThanOrEqual(frame.x)
}

const expectDocumentStill = async (page: Page) =>
  expect(
    await page.evaluate(() => ({
      taller: document.documentElement.scrollHeight - innerHeight,
      wider: document.documentElement.scrollWidth - innerWidth,
    })),
    `how far the document can be scrolled at ${page.viewportSize()?.width}`,
  ).toEqual({ taller: 0, wider: 0 })

test.describe('1,000 conversations', () => {
  for (const viewport of inTurn(widths))
    test(`at ${viewport.width} px the list scrolls to its end and the document never does`, async ({
      page,
      org,
      site,
      openInbox,
    }) => {
      // The server writes as well; this writer waits for the lock.
      site.databases.raw.write.pragma('busy_timeout = 10000')
      seedVolume(
        site.databases,
        { orgId: org.owner.org.id, conversations: 1000, messages: 2500 },
        { clock: systemClock },
      )
      await page.setViewportSize(viewport)
      await openInbox()
      await expect(rows(page).first()).toBeVisible()
      await expectDocumentStill(page)
      await expect(async () => {
        await list(page).evaluate(one => one.scrollTo({ top: one.scrollHeight }))
        await expect(page.getByText('No hay más conversaciones')).toBeVisible({ timeout: 50 })
      }).toPass({ intervals: [50] })
      expect(await list(page).evaluate(one => one.scrollTop), 'px the list was scrolled').toBeGreaterThan(40_000)
      await expectDocumentStill(page)
      await rows(page).last().click()
      await expect(page.getByRole('log')).toBeVisible()
      await expectDocumentStill(page)
      await picture(page, `1,000 conversations at ${viewport.width}`)
    })
})

test('each width has one main landmark and one h1, with and without a conversation', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  for (const viewport of widths) {
    await page.setViewportSize(viewport)
    for (const phone of [undefined, lucia.phone]) {
      await openInbox(page, phone)
      await expectAxeRules(page, ['landmark-one-main', 'page-has-heading-one', 'landmark-no-duplicate-main'])
    }
  }
})

test('a screen with space for more than one page is filled without scrolling', { tag: '@nightly' }, async ({
  page,
  org,
  site,
  openInbox,
}) => {
  site.databases.raw.write.pragma('busy_timeout = 10000')
  seedVolume(site.databases, { orgId: org.owner.org.id, conversations: 60, messages: 150 }, { clock: systemClock })
  await page.setViewportSize({ width: 1440, height: 4000 })
  await openInbox()
  await expect(page.getByText('No hay más conversaciones')).toBeVisible()
})

test('the selected row is distinguishable in forced colours', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
  await lucia.says('Hola')
  await pedro.says('Buenas')
  await page.emulateMedia({ forcedColors: 'active' })
  await openInbox(page, lucia.phone)
  await page.mouse.move(700, 500)
  const drawnAs = (name: RegExp) =>
    rows(page)
      .filter({ hasText: name })
      .evaluate(row => {
        const { outlineStyle, backgroundColor, borderInlineStartStyle } = getComputedStyle(row)
        return { outlineStyle, backgroundColor, borderInlineStartStyle }
      })
  expect(await drawnAs(/Lucía/)).not.toEqual(await drawnAs(/Pedro/))
  await picture(page, 'forced colours')
})

test('a hostile organization name stays inside the frame', { tag: '@nightly' }, async ({ site, context, page }) => {
  for (const orgName of [
    'Sociedad de Fomento y Cooperativa de Panaderos Artesanales de la Provincia de Buenos Aires',
    'W'.repeat(80),
  ]) {
    const org = await site.org({ orgName })
    // The page of the previous organization would navigate away by itself.
    await page.goto('about:blank')
    await context.clearCookies()
    await signIn(context, site, org.owner)
    await org.customer(1, 'Lucía Méndez').says('Hola')
    for (const viewport of widths) {
      await page.setViewportSize(viewport)
      await page.goto(paths.chats(org.slug))
      await expect(rows(page).first()).toBeVisible()
      await expectNoSidewaysScroll(page)
      await expectDocumentStill(page)
      if (viewport.width < 768) await page.getByRole('button', { name: 'Mostrar u ocultar el menú' }).click()
      const side = page.getByRole('complementary')
      const outside = await side.evaluate(one => {
        const right = one.getBoundingClientRect().right
        return (
          [...one.querySelectorAll<HTMLElement>('*')]
            .filter(child => child.checkVisibility() && child.getBoundingClientRect().right > right + 1)
            // Content for screen readers only is clipped to one pixel.
            .filter(child => {
              for (let up: Element | null = child; up && up !== one; up = up.parentElement)
                if (getComputedStyle(up).clipPath !== 'none') return false
              return true
            })
            .map(child => child.className)
        )
      })
      expect(outside, `what sticks out of the sidebar at ${viewport.width}`).toEqual([])
      await picture(page, `long name at ${viewport.width} ${orgName.length}`)
    }
  }
})

test.describe('without a network', () => {
  for (const viewport of inTurn([...widths, { width: 800, height: 1100 }]))
    test(`at ${viewport.width} px a conversation is never answered in the previous one, and nothing covers its name`, async ({
      page,
      context,
      org,
      complaints,
      openInbox,
    }) => {
      complaints.announce(/net::ERR_/, /ApiError: Failed to fetch/)
      const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
      await lucia.says('Hola')
      await pedro.says('Buenas')
      await page.setViewportSize(viewport)
      await openInbox(page, lucia.phone)
      await composer(page).fill('Para Lucía')
      // The other pane's part of the page arrives a moment after this one's.
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(one => /index-page/.test(one.name)),
      )
      if (viewport.width >= 768) await expectOneLine(page)
      await context.setOffline(true)
      const offlineNote = page.getByText('Sin conexión. Lo que escribas queda guardado acá.')
      await expect(offlineNote).toBeVisible()
      if (viewport.width >= 768) await expectOneLine(page)
      if (viewport.width < 768) await page.getByRole('link', { name: 'Volver a la lista' }).click()
      await rows(page).filter({ hasText: 'Pedro Gil' }).click()
      await expect(page).toHaveURL(paths.chat(org.slug, pedro.phone))
      await expect(page.getByRole('heading', { name: 'Pedro Gil' })).toBeVisible({ timeout: 1500 })
      await expect(page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' })).toHaveCount(0, { timeout: 1 })
      // Its row shows the started draft.
      await expect(page.locator('.thread').getByText('Para Lucía', { exact: true })).toHaveCount(0, { timeout: 1 })
      const boxes = await Promise.all([
        offlineNote.boundingBox(),
        page.getByRole('heading', { name: 'Pedro Gil' }).boundingBox(),
        ...(viewport.width < 768 ? [] : [page.getByRole('searchbox').boundingBox()]),
      ])
      const [bar, ...others] = boxes.map(box => box ?? { x: 0, y: 0, width: 0, height: 0 })
      for (const other of others)
        expect(
          (bar?.y ?? 0) + (bar?.height ?? 0) <= other.y || other.y + other.height <= (bar?.y ?? 0),
          `the bar ${JSON.stringify(bar)} beside ${JSON.stringify(other)}`,
        ).toBe(true)
      await expectDocumentStill(page)
      await picture(page, `offline at ${viewport.width}`)
      await context.setOffline(false)
      await expect(composer(page)).toHaveAccessibleName('Mensaje para Pedro Gil')
      await expect(composer(page)).toHaveValue('')
    })

  test('a conversation without a server response says so, and appears when it responds', { tag: '@nightly' }, async ({
    page,
    org,
    complaints,
    openInbox,
  }) => {
    complaints.announce(/^500 /, /ApiError: No anda/)
    const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
    await lucia.says('Hola')
    await pedro.says('Buenas')
    await openInbox(page, lucia.phone)
    const broken = (url: URL) => url.pathname.endsWith(`/chats/${pedro.phone}`)
    await intercept(page, broken, route =>
      route.fulfill({ status: 500, json: { statusCode: 500, code: 'X', message: 'No anda', requestId: 'r' } }),
    )

    await rows(page).filter({ hasText: 'Pedro Gil' }).click()
    await expect(page.getByText('No se pudo abrir esta conversación')).toBeVisible()
    await expect(composer(page)).toHaveCount(0)
    await page.unroute(broken)
    await page.getByRole('button', { name: 'Reintentar' }).click()
    await expect(composer(page)).toHaveAccessibleName('Mensaje para Pedro Gil')
  })
})

test('the title shows the customer’s name and the number of waiting conversations, and is updated', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await expect(page).toHaveTitle('Lucía Méndez · Recado')
  await pedro.says('Buenas')
  await expect(page).toHaveTitle('(1) Lucía Méndez · Recado')
  // The request outlives the page, so leaving at once still marks it as read.
  const isReading = page.waitForRequest(/\/read$/)
  await rows(page).filter({ hasText: 'Pedro Gil' }).click()
  await expect(page).toHaveTitle('Pedro Gil · Recado')
  await isReading
  await page.goto(paths.chats(org.slug))
  await expect(page).toHaveTitle('Chat · Recado')
})

test('a conversation opened by mouse or keyboard is ready for an answer; Escape leaves step by step', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox()
  const row = rows(page).first()
  await row.focus()
  await page.keyboard.press('Enter')
  await expect(composer(page)).toBeFocused()
  await page.getByRole('article').hover()
  await page.getByRole('button', { name: 'Responder' }).click()
  const leaveReply = page.getByRole('button', { name: 'No responder a ese mensaje' })
  await expect(leaveReply).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(leaveReply).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(composer(page)).toBeFocused()
})

test('on a touch screen every target is large enough, nothing zooms, and no keyboard opens by itself', async ({
  another,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const phone = await another(org.owner, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  const tooSmall = () =>
    phone.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.inbox button, .inbox a, .topbar button, .topbar a')]
        .filter(one => one.checkVisibility())
        .map(one => ({ name: one.ariaLabel ?? one.textContent, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.height < 44 || box.width < 44)
        .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
    )
  await openInbox(phone)
  await expect(rows(phone).first()).toBeVisible()
  await phone.getByRole('searchbox').fill('Lu')
  await expect(phone.getByRole('button', { name: 'Borrar búsqueda' })).toBeVisible()
  const found = phone.getByRole('navigation', { name: 'Resultados de la búsqueda' }).getByRole('link')
  await expect(found).toHaveCount(1)
  expect(await tooSmall()).toEqual([])
  await found.tap()
  await expect(composer(phone)).toBeVisible()
  await expect(composer(phone)).not.toBeFocused()
  expect(await composer(phone).evaluate(one => getComputedStyle(one).fontSize)).toBe('16px')
  // A tapped message shows its actions above it.
  await phone.getByRole('article').tap()
  await expect(phone.getByRole('button', { name: 'Responder' })).toHaveCSS('opacity', '1')
  expect(await tooSmall()).toEqual([])
  await picture(phone, 'a tapped message')
  await phone.getByRole('button', { name: 'Responder' }).tap()
  await expect(phone.getByRole('button', { name: 'No responder a ese mensaje' })).toBeVisible()
  expect(await tooSmall()).toEqual([])
  await picture(phone, 'under a finger')
  // Swiping right quotes a message; up and down scrolls.
  await phone.getByRole('button', { name: 'No responder a ese mensaje' }).tap()
  const devtools = await phone.context().newCDPSession(phone)
  const draw = async (dx: number, dy: number) => {
    const { x, y, width, height } = (await phone.getByRole('article').boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    const from = { x: x + width / 2, y: y + height / 2 }
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
    for (const share of [0.2, 0.5, 0.8, 1])
      await devtools.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: [{ x: from.x + dx * share, y: from.y + dy * share }],
      })
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await draw(0, 90)
  await draw(30, 0)
  await expect(phone.getByRole('button', { name: 'No responder a ese mensaje' })).toHaveCount(0)
  await draw(90, 0)
  await expect(phone.getByRole('button', { name: 'No responder a ese mensaje' })).toBeVisible()
})

test.describe('a long conversation', () => {
  const total = 40
  test('is at its newest message before any script runs', { tag: '@nightly' }, async ({ another, org }) => {
    const lucia = org.customer(1, 'Lucía Méndez')
    for (let n = 1; n <= total; n += 1) await lucia.says(`mensaje ${n}.`)
    await org.until<{ items: { text: string }[] }>(
      `/whatsapp/chats/${lucia.phone}`,
      ({ items }) => items.at(-1)?.text === `mensaje ${total}.`,
    )
    for (const viewport of widths) {
      const page = await another(org.owner, { javaScriptEnabled: false, viewport })
      await page.goto(paths.chat(org.slug, lucia.phone))
      const last = page.getByRole('article').last()
      await expect(last).toContainText(`mensaje ${total}.`)
      const box = await last.boundingBox()
      expect(box?.y, `top of the newest message at ${viewport.width}`).toBeGreaterThan(0)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(viewport.height)
      await picture(page, `without scripts at ${viewport.width}`)
    }
    const wide = await another(org.owner, { javaScriptEnabled: false, viewport: { width: 1440, height: 900 } })
    await wide.goto(paths.chat(org.slug, lucia.phone))
    const side = wide.getByRole('region', { name: 'Contacto' })
    await expect(side.getByRole('button', { name: 'Cerrar el contacto' })).toBeVisible()
    await expect(side.locator('.skeleton').first(), 'its place is not empty').toBeVisible()
  })

  test('a reader further up returns by one button, which counts new messages', async ({ page, org, openInbox }) => {
    const lucia = org.customer(1, 'Lucía Méndez')
    for (let n = 1; n <= total; n += 1) await lucia.says(`mensaje ${n}.`)
    await openInbox(page, lucia.phone)
    const last = page.getByRole('article').last()
    await expect(last).toContainText(`mensaje ${total}.`)
    const jump = page.getByRole('button', { name: 'Ir a lo último' })
    await expect(jump).toHaveCount(0)
    await page.getByRole('log').evaluate(one => one.scrollTo({ top: -one.scrollHeight }))
    await expect(jump).toBeVisible()
    await lucia.says('uno más')
    const counted = page.getByRole('button', { name: '1 mensaje nuevo' })
    await expect(counted).toBeVisible()
    await picture(page, 'jump to newest')
    await counted.click()
    await expect(page.getByRole('article').last()).toContainText('uno más')
    await expect(page.getByRole('article').last()).toBeInViewport()
    await expect(counted).toHaveCount(0)
    await expect(jump).toHaveCount(0)
  })
})
