import { inTransaction } from '#server/platform/db/db.ts'
import { paths } from '#shared/kernel/paths.ts'
import { plant, red } from './bell.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Org, type Page, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

/** Lets the test set whether the tab reports itself as hidden, and remembers the titles it had. */
const makeHidable = (page: Page) =>
  page.addInitScript(() => {
    let state = 'visible'
    Object.defineProperty(document, 'visibilityState', { get: () => state })
    const titles: string[] = []
    new MutationObserver(() => {
      if (document.title !== titles.at(-1)) titles.push(document.title)
    }).observe(document, { childList: true, characterData: true, subtree: true })
    Object.assign(window, {
      titles,
      setVisibility: (next: string) => {
        state = next
        document.dispatchEvent(new Event('visibilitychange'))
      },
    })
  })
const setVisibility = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(next => (window as unknown as { setVisibility(next: string): void }).setVisibility(next), state)

/** An alert stays for ten seconds, so the present title may be the next one already. */
const titlesOf = (page: Page) => page.evaluate(() => (window as unknown as { titles: string[] }).titles)

test('a hidden tab announces it once in title and desktop notification; a click there opens the conversation without a reload', async ({
  page,
  org,
  context,
  site,
  openInbox,
}) => {
  await context.grantPermissions(['notifications'], { origin: site.url })
  await makeHidable(page)
  await openInbox()
  const title = await page.title()
  await page.evaluate(() => Object.assign(window, { untouched: true }))
  await setVisibility(page, 'hidden')
  const martin = org.customer(1, 'Martín Torres')
  await martin.says('hola')
  await expect.poll(() => titlesOf(page)).toContain('🔔 Nuevo mensaje de WhatsApp')
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.getRegistration('/')
      return ((await worker?.getNotifications()) ?? []).map(one => [one.title, one.body])
    })
  await expect.poll(shown).toEqual([['Nuevo mensaje de WhatsApp', 'Martín Torres espera una respuesta']])
  await setVisibility(page, 'visible')
  // By then the unread count has increased.
  await expect.poll(() => page.title()).toBe(`(1) ${title}`)
  await page.evaluate(
    path => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'open', path } })),
    paths.chat(org.slug, martin.phone),
  )
  await expect(page).toHaveURL(paths.chat(org.slug, martin.phone))
  expect(await page.evaluate(() => 'untouched' in window)).toBe(true)
})

test('notifications without a customer are at the top right, three at most, and Alt+T focuses them', {
  tag: '@nightly',
}, async ({ page, org, site, openInbox }) => {
  await openInbox()
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
  // Rows inserted by another process are published with the next event of this one.
  await org.customer(9).says('hola')
  const toasts = page.locator('.notistack-Snackbar')
  // In one evaluation, because they close by themselves and the fourth one closes the first.
  await page.waitForFunction(() => {
    const shown = [...document.querySelectorAll('.notistack-Snackbar')]
    const notice = shown.find(one => /Título|Nueva notificación/.test(one.textContent ?? ''))?.getBoundingClientRect()
    return shown.length <= 3 && notice && notice.top < 200 && notice.left > innerWidth / 2
  })
  await page.keyboard.press('Alt+t')
  expect(await page.evaluate(() => document.activeElement?.closest('.notistack-Snackbar') !== null)).toBe(true)
  expect(await toasts.count()).toBeLessThanOrEqual(3)
  await picture(page, 'toasts')
})

const settingsOf = (org: Org) => paths.settingsOf(org.slug, 'notifications')

for (const language of inTurn(['es', 'en'] as const))
  test(`settings in ${language} are kept, and muted notifications stay listed`, {
    tag: '@nightly',
  }, async ({ org, another }) => {
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
    await page.getByLabel(say.from, { exact: true }).fill('2130')
    await page.keyboard.press('Tab')
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

test('a denied permission is explained, a granted one can be tested, and the sound has a test button', {
  tag: '@nightly',
}, async ({ page, org, site, context }) => {
  await page.goto(settingsOf(org))
  await expect(page.getByText('Este navegador no los recibe.')).toBeVisible()
  await page.getByRole('button', { name: 'Activar en este navegador' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'El navegador no dio permiso' })).toBeVisible()
  await page.getByRole('button', { name: 'Probar sonido' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'sonido' })).toHaveCount(0)

  await context.grantPermissions(['notifications'], { origin: site.url })
  await page.reload()
  await expect(page.getByText('Este navegador tiene permiso.')).toBeVisible()
  // Chromium sometimes drops the first notification of a profile and reports it as shown.
  await expect(async () => {
    await page.getByRole('button', { name: 'Probar aviso' }).click()
    const shown = () =>
      page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(one => one.title))
    await expect.poll(shown, { timeout: 2000 }).toEqual(['Así se ven los avisos'])
  }).toPass()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a push message shows its notification, requested from here, unless a tab is visible', async ({
  page,
  org,
  site,
  context,
}) => {
  await context.grantPermissions(['notifications'], { origin: site.url })
  await makeHidable(page)
  await plant(site, org, [{ message: 'Lucía Méndez espera una respuesta', redirect: '/5491155550001' }])
  await page.goto(settingsOf(org))
  const [{ id }] = (await org.call<[{ id: string }]>('GET', '/notify')) as [{ id: string }]
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })
  // No tab of this site stays in front.
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

test('the service worker is revalidated each time and may connect to this site only', { tag: '@nightly' }, async ({
  site,
}) => {
  const reply = await fetch(`${site.url}/sw.js`)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(reply.headers.get('cache-control')).toBe('no-cache')
  expect(reply.headers.get('content-security-policy')).toContain("connect-src 'self'")
  const again = await fetch(`${site.url}/sw.js`, { headers: { 'if-none-match': reply.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})
