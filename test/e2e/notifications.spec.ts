import { inTransaction } from '#server/db.ts'
import { newId } from '#server/ids.ts'
import { paths } from '#shared/paths.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  type Org,
  type Page,
  picture,
  type Site,
  test,
} from './fixtures.ts'

const words = {
  es: {
    bell: /^Notificaciones/,
    title: 'Notificaciones',
    empty: 'No hay notificaciones',
    mark: /^Marcar como leída/,
    all: 'Marcar todas como leídas',
    more: 'Ver más',
    today: /^Hoy, \d{1,2}:\d{2}\s[ap]\.\sm\.$/,
    days: /^\d{1,2}:\d{2}\s[ap]\.\sm\. \(hace 3 días\)$/,
  },
  en: {
    bell: /^Notifications/,
    title: 'Notifications',
    empty: 'No notifications',
    mark: /^Mark as read/,
    all: 'Mark all as read',
    more: 'Show more',
    today: /^Today, \d{1,2}:\d{2}\s[AP]M$/,
    days: /^\d{1,2}:\d{2}\s[AP]M \(3 days ago\)$/,
  },
} as const
type Words = (typeof words)[keyof typeof words]

const bellOf = (page: Page, say: Words = words.es) => page.getByRole('banner').getByRole('button', { name: say.bell })
const panelOf = (page: Page) => page.locator('.bell-panel')
const red = (page: Page) => page.locator('.bell-badge-unread')
const grey = (page: Page) => page.locator('.bell-badge-read')

interface Planted {
  title?: string
  message: string
  redirect?: string | null
  daysOld?: number
}

const born = (at: number) => {
  const id = newId(at)
  return { id, place: id }
}

/** Puts notifications where the product keeps them, oldest first. */
const plant = (site: Site, org: Org, all: readonly Planted[]) =>
  inTransaction(site.databases, async trx => {
    for (const [i, one] of all.entries()) {
      const at = Date.now() - (one.daysOld ?? 0) * 86_400_000 - (all.length - i) * 10
      await trx
        .insertInto('notification')
        .values({
          ...born(at),
          org_id: org.owner.org.id,
          user_id: org.owner.user.id,
          title: one.title ?? 'Nuevo mensaje de WhatsApp',
          message: one.message,
          redirect: one.redirect ?? null,
          created_at: new Date(at).toISOString(),
          viewed_at: null,
          words: null,
        })
        .execute()
    }
  })

/** A tab that says it is hidden, as long as the test wants. */
const makeHidable = (page: Page) =>
  page.addInitScript(() => {
    let state = 'visible'
    Object.defineProperty(document, 'visibilityState', { get: () => state })
    Object.assign(window, {
      setVisibility: (next: string) => {
        state = next
        document.dispatchEvent(new Event('visibilitychange'))
      },
    })
  })
const setVisibility = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(next => (window as unknown as { setVisibility(next: string): void }).setVisibility(next), state)

for (const language of ['es', 'en'] as const)
  for (const width of [1440, 390])
    test.describe(`${language} at ${width}`, () => {
      const say = words[language]
      test.use({
        viewport: { width, height: width === 390 ? 844 : 900 },
        locale: language === 'es' ? 'es-AR' : 'en-GB',
      })

      test('a waiting customer is in the bell: seen, opened, read', async ({ page, org, openInbox }) => {
        const martin = org.customer(1, 'Martín Torres')
        await openInbox()
        await expect(bellOf(page, say)).toBeVisible()
        await expect(page.locator('.bell-badge')).toHaveCount(0)
        await bellOf(page, say).click()
        await expect(panelOf(page).getByRole('heading', { name: say.title })).toBeVisible()
        await expect(panelOf(page)).toContainText(say.empty)
        await expectAccessible(page)
        await picture(page, 'empty')
        await page.keyboard.press('Escape')
        await expect(panelOf(page)).toBeHidden()

        await martin.says('¿Abren el domingo?')
        await expect(red(page)).toHaveText('1')
        await bellOf(page, say).click()
        const item = panelOf(page).getByRole('listitem')
        await expect(item).toContainText('Martín Torres')
        await expect(item.getByRole('time')).toHaveText(say.today)
        await expect(item.locator('.bell-dot')).toBeVisible()
        await expectNoSidewaysScroll(page)
        await picture(page, 'one')
        await item.getByRole('link').click()
        await expect(page).toHaveURL(paths.chat(org.slug, martin.phone))
        await expect(panelOf(page)).toBeHidden()
        await expect(grey(page)).toHaveCount(1)

        // On a phone an open chat has the screen to itself.
        if (width === 390) await page.goto(paths.chats(org.slug))
        await bellOf(page, say).click()
        await expect(item.locator('.bell-dot')).toHaveCount(0)
        await expect(item.getByRole('button', { name: say.mark })).toBeDisabled()
      })

      test('marking is no opening, a notification without a place opens nothing, and more come on demand', async ({
        page,
        org,
        site,
      }) => {
        await plant(site, org, [
          { message: 'la más vieja', daysOld: 3 },
          ...Array.from({ length: 41 }, (_, i) => ({ message: `aviso ${i}` })),
          { title: 'x'.repeat(300), message: 'y'.repeat(300) },
        ])
        await page.goto(paths.chats(org.slug))
        await expect(red(page)).toHaveText('43')
        await bellOf(page, say).click()
        const items = panelOf(page).getByRole('listitem')
        await expect(items).toHaveCount(20)
        await expectNoSidewaysScroll(page)
        await items.nth(1).click()
        await expect(panelOf(page)).toBeVisible()
        await expect(page).toHaveURL(paths.chats(org.slug))
        await expect(red(page)).toHaveText('43')
        await items.nth(1).getByRole('button', { name: say.mark }).click()
        await expect(items.nth(1).getByRole('button', { name: say.mark })).toBeDisabled()
        await expect(red(page)).toHaveText('42')
        await panelOf(page).getByRole('button', { name: say.more }).click()
        await expect(items).toHaveCount(40)
        await panelOf(page).getByRole('button', { name: say.more }).click()
        await expect(items).toHaveCount(43)
        await expect(panelOf(page).getByRole('button', { name: say.more })).toHaveCount(0)
        await expect(items.last().getByRole('time')).toHaveText(say.days)
        await expectAccessible(page)
        await picture(page, 'many')
        await panelOf(page).getByRole('button', { name: say.all }).click()
        await expect(grey(page)).toBeVisible()
        await page.reload()
        await expect(grey(page)).toBeVisible()
      })
    })

test('the list is at most twenty rem high, and all of it works by keyboard, in the dark too', async ({
  page,
  org,
  site,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await plant(
    site,
    org,
    Array.from({ length: 12 }, (_, i) => ({ message: `aviso ${i}`, redirect: `/549115550${i}` })),
  )
  await page.goto(paths.chats(org.slug))
  await expect(red(page)).toHaveText('12')
  await bellOf(page).focus()
  await page.keyboard.press('Enter')
  const items = panelOf(page).getByRole('listitem')
  await expect(items).toHaveCount(12)
  const box = await panelOf(page).locator('.bell-list').boundingBox()
  expect(box?.height).toBeLessThan(321)
  await page.keyboard.press('Tab')
  await expect(panelOf(page).getByRole('button', { name: words.es.all })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(panelOf(page).locator('.bell-list')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(items.first().getByRole('link')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(items.first().getByRole('button')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(red(page)).toHaveText('11')
  await expect(panelOf(page).locator('.bell-list'), 'a dead button does not take the focus with it').toBeFocused()
  await expectAccessible(page)
  await picture(page, 'dark')
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toBeHidden()
  await expect(bellOf(page)).toBeFocused()
})

test('a mark that the server refuses is taken back, and said', async ({ page, org, site, complaints }) => {
  complaints.announce(/500 PATCH \/api\/notify/)
  await plant(site, org, [{ message: 'uno' }])
  await page.route('**/api/notify?id=*', route =>
    route.fulfill({
      status: 500,
      json: { statusCode: 500, code: 'APP_INTERNAL', message: 'No anduvo', requestId: 'r' },
    }),
  )
  await page.goto(paths.chats(org.slug))
  await bellOf(page).click()
  await panelOf(page).getByRole('button', { name: words.es.mark }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'No anduvo' })).toBeVisible()
  await expect(panelOf(page).getByRole('button', { name: words.es.mark })).toBeEnabled()
  await expect(red(page)).toHaveText('1')
})

test('what is read in one browser is read in the other', async ({ page, org, another, openInbox }) => {
  await org.customer(1).says('hola')
  const other = await another(org.owner)
  await openInbox()
  await openInbox(other)
  await expect(red(page)).toHaveText('1')
  await expect(red(other)).toHaveText('1')
  await bellOf(other).click()
  await panelOf(other).getByRole('button', { name: words.es.mark }).click()
  await expect(grey(page)).toBeVisible()
})

test('a hidden tab says it once in its title and on the desktop; the chosen one opens the chat without loading the page', async ({
  page,
  org,
  context,
  site,
  openInbox,
}) => {
  await context.grantPermissions(['notifications'], { origin: site.url })
  await makeHidable(page)
  const alerts = page.waitForResponse(response => /\/alerts-/.test(response.url()))
  await openInbox()
  await alerts
  const title = await page.title()
  await page.evaluate(() => Object.assign(window, { untouched: true }))
  await setVisibility(page, 'hidden')
  const martin = org.customer(1, 'Martín Torres')
  await martin.says('hola')
  await expect.poll(() => page.title()).toBe('🔔 Nuevo mensaje de WhatsApp')
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.getRegistration('/')
      return ((await worker?.getNotifications()) ?? []).map(one => [one.title, one.body])
    })
  await expect.poll(shown).toEqual([['Nuevo mensaje de WhatsApp', 'Martín Torres espera una respuesta']])
  await setVisibility(page, 'visible')
  await expect.poll(() => page.title()).toBe(title)
  await page.evaluate(
    path => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'open', path } })),
    paths.chat(org.slug, martin.phone),
  )
  await expect(page).toHaveURL(paths.chat(org.slug, martin.phone))
  expect(await page.evaluate(() => 'untouched' in window)).toBe(true)
})

test('notifications without a customer stand at the top right, three at most, and Alt+T reaches them', async ({
  page,
  org,
  site,
  openInbox,
}) => {
  const alerts = page.waitForResponse(response => /\/alerts-/.test(response.url()))
  await openInbox()
  await alerts
  const emit = async (n: number) => {
    const at = new Date().toISOString()
    await inTransaction(site.databases, async trx => {
      const orgId = org.owner.org.id
      const counter = await trx
        .selectFrom('org_counter')
        .select('event_seq')
        .where('org_id', '=', orgId)
        .executeTakeFirstOrThrow()
      const seq = counter.event_seq + 1
      await trx.updateTable('org_counter').set({ event_seq: seq }).where('org_id', '=', orgId).execute()
      await trx
        .insertInto('event')
        .values({
          org_id: orgId,
          seq,
          type: 'notify',
          at,
          number: null,
          audience: JSON.stringify([org.owner.user.id]),
          data: JSON.stringify({
            id: `notify-x${n}`,
            title: n === 1 ? '' : `Título ${n}`,
            message: n === 1 ? '' : `Mensaje ${n}`,
            viewed: false,
          }),
        })
        .execute()
    })
  }
  for (let n = 1; n <= 4; n += 1) await emit(n)
  // What another process wrote is told with the next event of this one.
  await org.customer(9).says('hola')
  const toasts = page.locator('.notistack-Snackbar')
  const notice = toasts.filter({ hasText: /Título|Nueva notificación/ }).first()
  await expect(notice).toBeVisible()
  expect(await toasts.count()).toBeLessThanOrEqual(3)
  await picture(page, 'toasts')
  const box = await notice.boundingBox()
  expect(box?.y).toBeLessThan(200)
  await page.keyboard.press('Alt+t')
  expect(await page.evaluate(() => document.activeElement?.closest('.notistack-Snackbar') !== null)).toBe(true)
})

const settingsOf = (org: Org) => `${paths.settings(org.slug)}/profile`

for (const language of ['es', 'en'] as const)
  test(`settings in ${language}: they stay as they were set, and the bell keeps what is silenced`, async ({
    org,
    another,
  }) => {
    const page = await another(org.owner, {
      locale: language === 'es' ? 'es-AR' : 'en-GB',
      viewport: { width: 390, height: 844 },
    })
    const say =
      language === 'es'
        ? { quiet: 'Horario de silencio', from: 'Desde', mute: /^Silenciar/ }
        : { quiet: 'Quiet hours', from: 'From', mute: /^Mute/ }
    await page.goto(settingsOf(org))
    const saved = () =>
      page.waitForResponse(
        response => response.url().endsWith('/api/notify/settings') && response.request().method() === 'PATCH',
      )
    for (const name of [say.quiet, say.mute]) {
      const answer = saved()
      await page.getByRole('switch', { name }).click()
      expect((await answer).status()).toBe(200)
    }
    const answer = saved()
    await page.getByLabel(say.from, { exact: true }).fill('21:30')
    expect((await answer).status()).toBe(200)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await picture(page, 'settings')
    await page.reload()
    await expect(page.getByRole('switch', { name: say.quiet })).toBeChecked()
    await expect(page.getByRole('switch', { name: say.mute })).toBeChecked()
    await expect(page.getByLabel(say.from, { exact: true })).toHaveValue('21:30')
    await org.customer(1).says('hola')
    await expect(red(page)).toHaveText('1')
  })

test('a browser that refuses is told of plainly, one that agrees can try it, and sound has a test', async ({
  page,
  org,
  site,
  context,
}) => {
  await page.goto(settingsOf(org))
  await expect(page.getByText('Este navegador no los recibe.')).toBeVisible()
  await page.getByRole('button', { name: 'Activar en este navegador' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'El navegador no dio permiso' })).toBeVisible()
  await page.getByRole('button', { name: 'Probar sonido' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'sonido' })).toHaveCount(0)

  await context.grantPermissions(['notifications'], { origin: site.url })
  await page.reload()
  await expect(page.getByText('Este navegador tiene permiso.')).toBeVisible()
  await page.getByRole('button', { name: 'Probar aviso' }).click()
  await expect
    .poll(() =>
      page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(one => one.title)),
    )
    .toEqual(['Así se ven los avisos'])
})

test('a push message shows what it is about, asked from here, unless a tab is looked at', async ({
  page,
  org,
  site,
  context,
  browserName,
}) => {
  test.skip(browserName !== 'chromium', 'pushes are played through Chromium')
  await context.grantPermissions(['notifications'], { origin: site.url })
  await makeHidable(page)
  await plant(site, org, [{ message: 'Lucía Méndez espera una respuesta', redirect: '/5491155550001' }])
  await page.goto(settingsOf(org))
  const [{ id }] = (await org.call<[{ id: string }]>('GET', '/notify')) as [{ id: string }]
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })
  // No tab of this site is left in front.
  const blank = await context.newPage()
  await blank.goto('about:blank')
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>(resolve => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(one => one.scopeURL === `${site.url}/`)
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  await page.goto('about:blank')
  const elsewhere = await context.newCDPSession(page)
  await elsewhere.send('ServiceWorker.enable')
  const deliver = (data: string) =>
    elsewhere.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId, data })
  await deliver('no json')
  await deliver(JSON.stringify({ id: `notify-${id}`, org: org.slug, title: 'Nuevo mensaje de WhatsApp' }))
  const shown = async () => {
    const looker = await context.newPage()
    await looker.goto('/robots.txt')
    const found = await looker.evaluate(async () =>
      ((await (await navigator.serviceWorker.getRegistration('/'))?.getNotifications()) ?? []).map(one => [
        one.title,
        one.body,
      ]),
    )
    await looker.close()
    return found
  }
  await expect.poll(shown).toEqual([['Nuevo mensaje de WhatsApp', 'Lucía Méndez espera una respuesta']])
})

test('the worker is asked again each time and may call this site only', async ({ site }) => {
  const reply = await fetch(`${site.url}/sw.js`)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(reply.headers.get('cache-control')).toBe('no-cache')
  expect(reply.headers.get('content-security-policy')).toContain("connect-src 'self'")
  const again = await fetch(`${site.url}/sw.js`, { headers: { 'if-none-match': reply.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

test('a bell that is rung before the page has its scripts has its list as soon as they are there', async ({
  page,
  org,
  site,
}) => {
  await plant(site, org, [{ message: 'uno' }])
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async route => {
    await held
    await route.continue()
  })
  await page.goto(paths.chats(org.slug), { waitUntil: 'commit' })
  await bellOf(page).click()
  await expect(panelOf(page)).toBeVisible()
  release()
  await expect(panelOf(page).getByRole('listitem')).toHaveCount(1)
})
