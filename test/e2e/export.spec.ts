import { statSync } from 'node:fs'
import { paths } from '#shared/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test.use({ locale: 'es-AR', viewport: { width: 1440, height: 900 } })

test('an owner takes everything along, and stays on the page', async ({ page, org, another }) => {
  await page.goto(paths.settingsOf(org.slug, 'organization'))
  const button = page.getByRole('button', { name: 'Exportar todo' })
  await button.scrollIntoViewIfNeeded()
  const [download] = await Promise.all([page.waitForEvent('download'), button.press('Enter')])
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${org.slug}-\\d{4}-\\d\\d-\\d\\d\\.zip$`))
  expect(statSync(await download.path()).size).toBeGreaterThan(500)
  await expect(page.getByText(/La descarga empezó: \d+ contactos y \d+ mensajes/)).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await button.scrollIntoViewIfNeeded()
  await picture(page, 'export-narrow-dark')
  await page.getByRole('heading', { name: 'Horario de atención' }).scrollIntoViewIfNeeded()
  await picture(page, 'hours-narrow-dark')
  for (const [open, name] of [
    ['Transferir', 'transfer'],
    ['Eliminar', 'deletion'],
  ] as const) {
    await page.getByRole('region', { name: 'Zona de peligro' }).getByRole('button', { name: open }).press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await picture(page, `${name}-narrow-dark`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }

  const admin = await another(await org.colleague('Ada Admin', 'admin'), { locale: 'en-US' })
  await admin.goto(paths.settingsOf(org.slug, 'organization'))
  await expect(admin.getByRole('heading', { name: 'Who wants no marketing' })).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Export everything' })).toHaveCount(0)
})
