import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'

const rows = (page: Page) => page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link')

test('by the keyboard, all chats that match are selected, changed part by part and brought back', async ({
  page,
  org,
  openInbox,
}) => {
  test.slow()
  const count = 120
  const tag = await org.call<{ id: string }>('POST', '/whatsapp/tags', { label: 'Mayorista' })
  const csv = Array.from({ length: count }, (_, i) => `11 4444-${String(1000 + i)};Cliente ${i}`)
  const imported = await org.call<{ id: string }>('POST', '/whatsapp/contact-imports', {
    file: 'clientes.csv',
    text: ['Celular;Cliente', ...csv].join('\r\n'),
    existing: 'keep',
  })
  await org.until<{ state: string }>(`/whatsapp/contact-imports/${imported.id}`, ({ state }) => state === 'done')
  const all = await org.call<{ items: { conversationId: string }[] }>('GET', '/whatsapp/contacts/matching')
  const ids = all.items.map(({ conversationId }) => conversationId)
  for (const some of [ids.slice(0, 100), ids.slice(100)])
    await org.call('POST', '/whatsapp/conversations/changes', { ids: some, archived: false })
  const matching = async (query: string) =>
    (await org.call<{ items: unknown[] }>('GET', `/whatsapp/conversations/matching?${query}`)).items.length

  await page.setViewportSize({ width: 1440, height: 900 })
  await openInbox(page)
  await expect(rows(page).first()).toContainText('Cliente')
  await rows(page).first().focus()
  await page.keyboard.press('x')
  const tools = page.getByRole('toolbar', { name: 'Conversaciones seleccionadas' })
  await tools.getByRole('button', { name: 'Seleccionar todas' }).press('Enter')
  const offer = tools.getByRole('button', { name: `Seleccionar las ${count} que coinciden` })
  await expect(offer).toBeVisible()
  await expect(tools).not.toContainText(`${count} seleccionadas`)
  await expectAccessible(page)
  await picture(page, 'select-matching')
  // One that comes now is not selected.
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await expect(rows(page).first()).toContainText('Lucía Méndez')
  await offer.press('Enter')
  await expect(tools.getByText(`${count} seleccionadas`)).toBeVisible()
  await expect(offer).toHaveCount(0)
  await expect(tools.getByRole('button', { name: 'Quitar la selección' })).toBeFocused()

  await tools.getByRole('button', { name: 'Etiquetas' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Buscar o crear una etiqueta' })).toBeFocused()
  await page.keyboard.type('Mayor')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Mayorista: puesta en ${count} conversaciones`)).toBeVisible()
  expect([await matching(`tag=${tag.id}`), await matching('')]).toEqual([count, count + 1])
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText(`Deshecho en ${count} conversaciones`)).toBeVisible()

  await tools.getByRole('button', { name: 'Archivar' }).press('Enter')
  await expect(page.getByText(`${count} conversaciones archivadas`)).toBeVisible()
  await expect(tools).toHaveCount(0)
  await expect(rows(page)).toHaveCount(1)
  await page
    .locator('.notistack-MuiContent', { hasText: 'archivadas' })
    .getByRole('button', { name: 'Deshacer' })
    .click()
  await expect(page.getByText(`${count} conversaciones desarchivadas`)).toBeVisible()
  await expect(rows(page).nth(20)).toBeVisible()

  // On a phone, and Escape ends it.
  await page.setViewportSize({ width: 390, height: 844 })
  await rows(page).first().focus()
  await page.keyboard.press('x')
  await tools.getByRole('button', { name: 'Seleccionar todas' }).press('Enter')
  await expect(tools.getByRole('button', { name: `Seleccionar las ${count + 1} que coinciden` })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await picture(page, 'select-matching-phone')
  await page.keyboard.press('Escape')
  await expect(tools).toHaveCount(0)
})
