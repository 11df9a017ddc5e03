import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'

const viewsOf = (page: Page) => page.getByRole('group', { name: 'Vistas guardadas' })

test('list filters are saved under a name, used by a colleague, renamed and deleted', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
  await lucia.says('Hola')
  await pedro.says('Buenas')
  const marta = await another(await org.colleague('Marta'))
  await openInbox(page, pedro.phone)
  const rows = page.locator('.rows a.row')
  await expect(rows).toHaveCount(2)
  await page
    .getByRole('group', { name: 'Qué conversaciones se muestran' })
    .getByRole('button', { name: /^Sin leer/ })
    .click()
  await expect(rows.filter({ hasText: 'Lucía' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Filtros' }).click()
  await page.getByRole('button', { name: 'Guardar esta vista…' }).click()
  const saving = page.getByRole('dialog', { name: 'Guardar vista' })
  await expect(saving.getByLabel('Nombre')).toBeFocused()
  await expect(saving.getByText('Muestra: Sin leer.')).toBeVisible()
  await saving.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(saving.getByText('Falta el nombre.')).toBeVisible()
  await saving.getByLabel('Nombre').fill('Por leer')
  await saving.getByLabel('Para todo el equipo').check()
  await expectAccessible(page)
  await picture(page, 'views')
  await saving.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(saving).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Filtros' })).toBeFocused()

  // It stands above the list, with what the list has with it.
  await expect(viewsOf(page).getByRole('button', { name: 'Por leer 1', pressed: true })).toBeVisible()

  await openInbox(marta)
  const chip = viewsOf(marta).getByRole('button', { name: 'Por leer 1' })
  await expect(chip).toHaveAttribute('title', 'Sin leer · De todo el equipo')
  await chip.click()
  await expect(marta).toHaveURL(/\?unread=1$/)
  await expect(marta.locator('.rows a.row')).toHaveCount(1)
  await org.customer(3, 'Ana Solís').says('¿Siguen ahí?')
  await expect(viewsOf(marta).getByRole('button', { name: 'Por leer 2', pressed: true })).toBeVisible()
  await expect(marta.locator('.rows a.row')).toHaveCount(2)
  await viewsOf(marta).getByRole('button', { name: 'Por leer 2' }).click()
  await expect(marta).not.toHaveURL(/unread/)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goBack()
  await openInbox(page)
  await page.getByRole('button', { name: 'Filtros' }).click()
  const menu = page.getByRole('dialog', { name: 'Filtros' })
  await expect(menu.getByRole('button', { name: 'Por leer' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await picture(page, 'views-390')
  await expect(page.getByRole('button', { name: 'Guardar esta vista…' }), 'nothing is filtered').toHaveCount(0)
  await page.getByRole('button', { name: 'Editar vistas…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Vistas guardadas' })
  const pencil = dialog.getByRole('button', { name: 'Cambiar el nombre de Por leer' })
  await pencil.click()
  await page.keyboard.press('Escape')
  await expect(pencil, 'Escape gives up the name, not the dialog').toBeFocused()
  await pencil.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Pendientes')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('listitem')).toContainText('Pendientes')
  await dialog.getByRole('button', { name: 'Eliminar Pendientes' }).click()
  await page.getByRole('button', { name: 'Eliminar vista' }).click()
  await expect(dialog.getByText('Todavía no hay vistas guardadas.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await expect(viewsOf(page)).toHaveCount(0)
})

test('a view whose tag was deleted says so', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await openInbox(page)
  await page.goto(`${page.url()}?tag=gone`)
  const chip = page.getByRole('button', { name: /Una etiqueta que ya no está/ })
  await chip.click()
  await expect(chip).toHaveCount(0)
  await expect(page.locator('.rows a.row')).toHaveCount(1)
})
