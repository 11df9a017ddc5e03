import { paths } from '#shared/kernel/paths.ts'
import { bellOf, grey, panelOf, plant, red, words } from './bell.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

/** Together the two stories cover both languages at both widths. */
const seenAs = (language: 'es' | 'en', width: 1440 | 390) => ({
  viewport: { width, height: width === 390 ? 844 : 900 },
  locale: language === 'es' ? 'es-AR' : 'en-GB',
})

for (const [language, width] of inTurn([
  ['es', 1440],
  ['en', 390],
] as const))
  test.describe(`${language} at ${width}`, () => {
    const say = words[language]
    test.use(seenAs(language, width))

    test('a waiting customer’s notification is listed, opened and read', async ({ page, org, openInbox }) => {
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
      await expect(item.locator('strong')).toContainText('Martín Torres')
      await expect(item).toContainText('¿Abren el domingo?')
      await expect(item.getByRole('time')).toHaveText(say.today)
      await expect(item.locator('.bell-dot')).toBeVisible()
      await expectNoSidewaysScroll(page)
      await picture(page, 'one')
      await item.getByRole('link').click()
      await expect(page).toHaveURL(paths.chat(org.slug, martin.phone))
      await expect(panelOf(page)).toBeHidden()
      await expect(grey(page)).toHaveCount(1)

      // On a phone an open conversation fills the screen.
      if (width === 390) await page.goto(paths.chats(org.slug))
      await bellOf(page, say).click()
      await expect(item.locator('.bell-dot')).toHaveCount(0)
      await expect(item.getByRole('button', { name: say.mark })).toBeDisabled()
    })
  })

for (const [language, width] of inTurn([
  ['es', 390],
  ['en', 1440],
] as const))
  test.describe(`${language} at ${width}`, () => {
    const say = words[language]
    test.use(seenAs(language, width))

    test('marking as read opens nothing, nor does a notification without a link, and more load on demand', {
      tag: '@nightly',
    }, async ({ page, org, site }) => {
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

test('the list is at most twenty rem high, and works by keyboard, also in the dark theme', {
  tag: '@nightly',
}, async ({ page, org, site }) => {
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

test('a requested next page arrives although news come in between', { tag: '@nightly' }, async ({
  page,
  org,
  site,
}) => {
  await plant(
    site,
    org,
    Array.from({ length: 30 }, (_, i) => ({ message: `aviso ${i}` })),
  )
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/api/notify?before=*', async route => {
    await held
    await route.continue()
  })
  await page.goto(paths.chats(org.slug))
  await bellOf(page).click()
  const items = panelOf(page).getByRole('listitem')
  await expect(items).toHaveCount(20)
  const asked = page.waitForRequest(/notify\?before=/)
  await panelOf(page).getByRole('button', { name: words.es.more }).click()
  await asked
  await org.customer(1, 'Martín Torres').says('¿Abren el domingo?')
  await expect(red(page)).toHaveText('31')
  await expect(items.first()).toContainText('Martín Torres')
  release()
  await expect(items).toHaveCount(31)
})

test('a refused mark is undone, with a message', { tag: '@nightly' }, async ({ page, org, site, complaints }) => {
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

test('a notification read in one browser is read in the other', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  openInbox,
}) => {
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

test('answers of one customer are one row with a count; opening the conversation reads it, and a muted one is silent', {
  tag: '@nightly',
}, async ({ org, another, openInbox }) => {
  const page = await another(org.owner, { locale: 'en-GB' })
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await expect(grey(page), 'who comes to the chat has seen what called them there').toBeVisible()
  const field = page.getByRole('textbox', { name: /Lucía Méndez/ })
  await field.fill('¿En qué te ayudo?')
  await field.press('Enter')
  await expect(page.getByRole('article').last()).toContainText('¿En qué te ayudo?')

  await page.getByRole('link', { name: words.en.settings }).click()
  await expect(page.getByRole('heading', { level: 1, name: words.en.settings })).toBeVisible()
  const toasts = page.locator('.notistack-Snackbar')
  await lucia.says('uno')
  await expect(toasts.filter({ hasText: 'Lucía Méndez replied' })).toBeVisible()
  await lucia.says('dos')
  await lucia.says('tres')
  await bellOf(page, words.en).click()
  const item = panelOf(page)
    .getByRole('listitem')
    .filter({ has: page.locator('.bell-dot') })
  await expect(item).toContainText('3 new messages from Lucía Méndez')
  await expect(red(page)).toHaveText('1')
  await picture(page, 'counted')
  await item.getByRole('link').click()
  await expect(page).toHaveURL(paths.chat(org.slug, lucia.phone))
  await expect(page.getByRole('article').last()).toContainText('tres')
  await expect(grey(page)).toBeVisible()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Mute this conversation' }).click()
  await expect(page.getByRole('button', { name: 'Unmute this conversation' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'muted')
  await page.getByRole('link', { name: words.en.settings }).click()
  await expect(toasts.filter({ hasText: 'Lucía' })).toHaveCount(0)
  await lucia.says('cuatro')
  await expect(red(page)).toHaveText('1')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await expect(toasts.filter({ hasText: 'Pedro Gil is waiting for a reply' })).toBeVisible()
  await expect(toasts.filter({ hasText: 'Lucía' })).toHaveCount(0)
})

test('a notification list opened before the scripts arrive is filled when they do', {
  tag: '@nightly',
}, async ({ page, org, site }) => {
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
