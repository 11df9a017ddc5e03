import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, intercept, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

/** A missing asset, as after an upgrade. */
const assets = /\/assets\/[^/]*\.(?:js|css)$/

test('a tab from before an upgrade reloads once for the next page, at its address, and keeps typed text', async ({
  page,
  org,
  openInbox,
  complaints,
}) => {
  complaints.announce(/404 GET \/assets\//, /Failed to fetch dynamically imported/)
  const martin = org.customer(1, 'Martín Torres')
  await martin.says('Hola')
  await openInbox(page, martin.phone)
  await page.getByRole('textbox', { name: /Martín Torres/ }).fill('Sí, los domingos')
  let loads = 0
  page.on('request', request => {
    if (request.isNavigationRequest()) loads += 1
  })
  // The server of the new version has the assets of its own pages.
  await intercept(page, assets, route => (loads > 0 ? route.continue() : route.fulfill({ status: 404, json: {} })))
  await page.getByRole('link', { name: 'Integraciones' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Integraciones' })).toBeVisible()
  await expect(page).toHaveURL(paths.integrations(org.slug))
  expect(loads).toBe(1)
  await page.goto(paths.chat(org.slug, martin.phone))
  await expect(page.getByRole('textbox', { name: /Martín Torres/ })).toHaveValue('Sí, los domingos')
})

test('a script that stays missing is reported after one reload, without a reload loop', {
  tag: '@nightly',
}, async ({ page, openInbox, complaints }) => {
  complaints.announce(/404 GET \/assets\//, /Failed to fetch dynamically imported|MissingPart|missing/i)
  await openInbox()
  let loads = 0
  page.on('request', request => {
    if (request.isNavigationRequest()) loads += 1
  })
  const missing = /\/assets\/page-[^/]*\.js$/
  await intercept(page, missing, route => route.fulfill({ status: 404, json: {} }))
  await page.getByRole('link', { name: 'Integraciones' }).click()
  const again = page.locator('.stuck-page').getByRole('link', { name: 'Reintentar' })
  await expect(again).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'stuck')
  expect(loads).toBe(1)
  await page.unroute(missing)
  await again.click()
  await expect(page.locator('.stuck-page')).toHaveCount(0)
  await page
    .getByRole('region', { name: 'WhatsApp' })
    .getByRole('button', { name: /^Acciones de/ })
    .click()
  await page.getByRole('menuitem', { name: 'Desconectar' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

for (const width of inTurn([1440, 390]))
  test(`offline at ${width}, a page that cannot be loaded says so in its place, and appears back online`, {
    tag: '@nightly',
  }, async ({ page, org, openInbox, complaints }) => {
    complaints.announce(
      /ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource|MissingPart|load preload assets/,
    )
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await openInbox()
    await page.context().setOffline(true)
    if (width === 390) await page.getByRole('button', { name: 'Mostrar u ocultar el menú' }).click()
    await page.getByRole('link', { name: 'Integraciones' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'No pudimos abrir esta página' })).toBeVisible()
    await expect(page).toHaveURL(paths.integrations(org.slug))
    await page.getByRole('button', { name: 'Reintentar' }).click()
    await expect(page.getByRole('alert')).toContainText('Todavía no hay conexión')
    await expectAccessible(page)
    await picture(page, 'offline')
    await page.context().setOffline(false)
    await expect(page.getByRole('heading', { level: 1, name: 'Integraciones' })).toBeVisible()
  })
