import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'

/** Chooses an item of the contact's menu. */
const act = async (page: Page, item: string, menu = 'Acciones del contacto') => {
  await page.getByRole('button', { name: menu }).press('Enter')
  await page.getByRole('menuitem', { name: item }).press('Enter')
}

test('a contact’s note is visible to a colleague; the files of the conversation are listed beside it', {
  tag: '@nightly',
}, async ({ page, org, another, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await lucia.does({ type: 'image', caption: 'La torta de cumpleaños' })
  await lucia.says('Como la de https://panaderia.example/tortas')
  await lucia.does({ type: 'voice' })
  await lucia.does({ type: 'document' })
  await org.until<{ items: { media?: { state: string } }[] }>(
    `/whatsapp/conversations/${lucia.phone}/gallery?kind=documents`,
    ({ items }) => items[0]?.media?.state === 'stored',
  )
  await openInbox(page, lucia.phone)
  await page.getByTitle('Ver contacto').click()
  const dialog = page.getByRole('dialog', { name: 'Lucía Méndez' })
  const note = dialog.getByRole('textbox', { name: 'Nota del contacto' })
  await note.fill('Prefiere retirar por la tarde')
  await dialog.getByRole('button', { name: 'Guardar nota' }).click()
  await expect(page.getByText('Nota guardada')).toBeVisible()
  const files = dialog.getByRole('region', { name: 'Archivos del chat' })
  await expect(files.getByRole('link', { name: 'La torta de cumpleaños' })).toHaveAttribute('href', /\/media\//)
  await expectAccessible(page)
  await files.scrollIntoViewIfNeeded()
  await picture(page, 'contact-panel')
  await files.getByRole('button', { name: 'Documentos' }).click()
  await expect(files.getByRole('button', { name: 'Documentos' })).toHaveAttribute('aria-pressed', 'true')
  await expect(files.getByRole('listitem')).toHaveCount(1)
  await expect(files.getByRole('link')).toHaveAttribute('download', /./)
  await files.getByRole('button', { name: 'Audios' }).click()
  await expect(files.locator('audio')).toHaveCount(1)
  await files.getByRole('button', { name: 'Enlaces' }).click()
  await expect(files.getByRole('link', { name: /panaderia\.example\/tortas/ })).toHaveAttribute('target', '_blank')
  await expectAccessible(page)

  const marta = await org.colleague('Marta Ríos')
  const phone = await another(marta, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await openInbox(phone, lucia.phone)
  await phone.getByTitle('Ver contacto').click()
  await expect(phone.getByRole('textbox', { name: 'Nota del contacto' })).toHaveValue('Prefiere retirar por la tarde')
  await expectNoSidewaysScroll(phone)
  await expectAccessible(phone)
  await picture(phone, 'contact-panel-phone')
  await phone.goBack()
  await expect(phone.getByRole('dialog')).toHaveCount(0)
  await expect(phone).toHaveURL(paths.chat(org.slug, lucia.phone))
  await phone.getByTitle('Ver contacto').click()
  await phone.getByRole('button', { name: 'Cerrar el contacto' }).click()
  await expect(phone.getByRole('dialog')).toHaveCount(0)
  await phone.goBack()
  await expect(phone, 'closing leaves no entry behind').not.toHaveURL(paths.chat(org.slug, lucia.phone))
})

test('an owner defines a contact field, and a member fills it in', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
  complaints,
}) => {
  complaints.announce(/^400 (?:POST|PATCH) \/api\/whatsapp\//)
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await page.goto(paths.settingsOf(org.slug, 'contacts'))
  const card = page.getByRole('region', { name: 'Campos de los contactos' })
  const dialog = page.getByRole('dialog')
  const add = async (label: string, kind?: string, options?: string) => {
    await card.getByRole('button', { name: 'Agregar campo' }).press('Enter')
    await dialog.getByLabel('Nombre del campo').fill(label)
    if (kind) await dialog.getByLabel('Qué se anota').selectOption(kind)
    if (options !== undefined) await dialog.getByLabel('Opciones').fill(options)
    await dialog.getByRole('button', { name: 'Guardar' }).click()
  }
  await add('Plan', 'choice', '')
  await expect(dialog.getByRole('alert')).toContainText('al menos una opción')
  await dialog.getByLabel('Opciones').fill('Oro\nPlata')
  await expectAccessible(page)
  await picture(page, 'contact-field-dialog')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog).toHaveCount(0)
  await add('Cumpleaños', 'date')
  await add('Pedidos', 'number')
  await expect(card.getByRole('listitem')).toHaveCount(3)
  await card.getByRole('button', { name: 'Acciones de Cumpleaños' }).click()
  await page.getByRole('menuitem', { name: 'Eliminar' }).click()
  await dialog.getByRole('button', { name: 'Eliminar' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await card.scrollIntoViewIfNeeded()
  await picture(page, 'contact-fields')

  await openInbox(page, lucia.phone)
  await page.getByTitle('Ver contacto').click()
  const form = page.getByRole('form', { name: 'Datos' })
  await form.getByLabel('Plan').selectOption('Oro')
  await form.getByLabel('Pedidos').fill('doce')
  await form.getByRole('button', { name: 'Guardar datos' }).click()
  await expect(form.getByRole('alert')).toContainText('no va en este campo')
  await form.getByLabel('Pedidos').fill('12')
  await form.getByRole('button', { name: 'Guardar datos' }).click()
  await expect(page.getByText('Datos guardados')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'contact-panel-fields')
  await page.reload()
  await page.getByTitle('Ver contacto').click()
  await expect(form.getByLabel('Plan')).toHaveValue('Oro')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await form.scrollIntoViewIfNeeded()
  await picture(page, 'contact-panel-fields-phone')
})

test('an owner blocks a contact, who leaves the inbox, and unblocks them', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
  another,
}) => {
  const pest = org.customer(1, 'Vende Todo')
  await pest.says('¡Oferta!')
  await openInbox(page, pest.phone)
  await page.getByTitle('Ver contacto').click()
  await act(page, 'Bloquear…')
  const ask = page.getByRole('dialog', { name: '¿Bloquear a este contacto?' })
  await expect(ask.getByText('ningún flujo le contesta')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'contact-block')
  await ask.getByRole('button', { name: 'Bloquear' }).press('Enter')
  await expect(page.getByText('Contacto bloqueado', { exact: true })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Vende Todo' })
  await expect(dialog.getByText(/lo bloqueó el/)).toBeVisible()
  await expect(dialog.getByText('Bloqueado', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Desbloquear' }).scrollIntoViewIfNeeded()
  await picture(page, 'contact-blocked')
  await org.until<{ items: unknown[] }>('/whatsapp/conversations', ({ items }) => items.length === 0)

  const marta = await another(await org.colleague('Marta Ríos'), {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'en-US',
  })
  await openInbox(marta, pest.phone)
  await marta.getByTitle('View contact').click()
  await expect(marta.getByText(/blocked them on/)).toBeVisible()
  await expect(marta.getByRole('button', { name: 'Unblock' })).toHaveCount(0)
  await expectNoSidewaysScroll(marta)

  await dialog.getByRole('button', { name: 'Desbloquear' }).press('Enter')
  await expect(page.getByText('Contacto desbloqueado', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Bloqueado', { exact: true })).toHaveCount(0)
  await pest.says('Perdón')
  await org.until<{ items: unknown[] }>('/whatsapp/conversations', ({ items }) => items.length === 1)
})

test('an owner erases a person after typing their number, and only the record of it remains', async ({
  page,
  org,
  openInbox,
  another,
  complaints,
}) => {
  complaints.announce(/^400 POST \/api\/whatsapp\/conversations\/\d+\/erasure/)
  // The open conversation is requested, and presence ended, after it is gone.
  complaints.announce(/^404 (?:GET|PUT) \/api\/whatsapp\//)
  complaints.announce(/^400 GET \/api\/organization\/erasures/)
  const lucia = org.customer(1, 'Lucía Rivas')
  await lucia.says('¿Pueden borrar mis datos?')
  await org.customer(2, 'Bruno Paz').says('Hola')
  await openInbox(page, lucia.phone)
  await page.getByTitle('Ver contacto').click()
  await act(page, 'Eliminar contacto y sus datos…')
  const ask = page.getByRole('dialog', { name: '¿Eliminar a este contacto y sus datos?' })
  await ask.getByLabel('Motivo').selectOption({ label: 'La persona lo pidió' })
  await ask.getByLabel(/Para confirmar, escribí \+54/).fill('otra cosa')
  await ask.getByRole('button', { name: 'Eliminar para siempre' }).press('Enter')
  await expect(ask.getByRole('alert')).toContainText('para confirmar')
  await expectAccessible(page)
  await picture(page, 'erasure-dialog')
  await ask.getByLabel(/Para confirmar/).fill(`+${lucia.phone}`)
  await ask.getByRole('button', { name: 'Eliminar para siempre' }).press('Enter')
  await expect(page.getByText('Se están eliminando sus datos.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Bruno Paz').first()).toBeVisible()
  await expect(page.getByText('Lucía Rivas')).toHaveCount(0)
  await org.until<{ items: { percent: number }[] }>('/organization/erasures', ({ items }) => items[0]?.percent === 100)

  await page.goto(paths.settingsOf(org.slug, 'contacts'))
  const card = page.getByRole('region', { name: 'Contactos eliminados' })
  await expect(card.getByText('La persona lo pidió')).toBeVisible()
  await expect(card.getByText(/mensajes? borrados?/)).toBeVisible()
  await expectAccessible(page)
  await card.getByLabel('¿Se eliminó este número?').fill('abc')
  await card.getByLabel('¿Se eliminó este número?').press('Enter')
  await expect(card.getByRole('alert')).toBeVisible()
  await card.getByLabel('¿Se eliminó este número?').fill(org.customer(2).phone)
  await card.getByRole('button', { name: 'Buscar' }).press('Enter')
  await expect(card.getByRole('status')).toContainText('No se eliminó a nadie con ese número')
  await card.getByLabel('¿Se eliminó este número?').fill(`+${lucia.phone}`)
  await card.getByRole('button', { name: 'Buscar' }).press('Enter')
  await expect(card.getByRole('status')).toContainText('La persona lo pidió')
  await expectAccessible(page)
  await card.getByRole('status').scrollIntoViewIfNeeded()
  await picture(page, 'erasures')

  const admin = await another(await org.colleague('Ada Admin', 'admin'), {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'en-US',
  })
  await admin.goto(paths.settingsOf(org.slug, 'contacts'))
  const theirs = admin.getByRole('region', { name: 'Erased contacts' })
  await expect(theirs.getByText('Requested by the person')).toBeVisible()
  await theirs.scrollIntoViewIfNeeded()
  await expectNoSidewaysScroll(admin)
  await picture(admin, 'erasures-narrow-dark')
  await openInbox(admin, org.customer(2).phone)
  await admin.getByTitle('View contact').click()
  await act(admin, 'Erase contact and data…', 'Contact actions')
  await expect(admin.getByRole('dialog', { name: 'Erase this contact and their data?' })).toBeVisible()
  await expectNoSidewaysScroll(admin)
  await picture(admin, 'erasure-dialog-narrow-dark')
})

test('two contacts of one person are merged and separated again, in every open tab', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola, soy Lucía')
  await org.call('PATCH', `/whatsapp/conversations/${lucia.phone}/contact`, { name: 'Lucía Méndez' })
  // In a later second, because the last number a customer wrote from gives the conversation its address.
  const second = Math.floor(Date.now() / 1000)
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(second)
  const again = org.customer(2, 'Lucía con otro número')
  await again.says('Cambié de número')
  const colleague = await another(await org.colleague('Marta Ríos'))
  await openInbox(colleague, lucia.phone)
  await openInbox(page, lucia.phone)
  await page.getByTitle('Ver contacto').click()
  const panel = page.getByRole('dialog', { name: 'Lucía Méndez' })
  await act(page, 'Unir con otro contacto…')
  const dialog = page.getByRole('dialog', { name: 'Unir con Lucía Méndez' })
  await dialog.getByRole('button', { name: 'Unir', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Elegí con quién')
  await dialog.getByRole('combobox').fill('otro')
  await dialog.getByRole('option', { name: /Lucía con otro número/ }).click()
  await expect(dialog.getByText('Se puede deshacer durante 7 días.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'contact-merge')
  await dialog.getByRole('button', { name: 'Unir', exact: true }).click()
  await expect(panel.getByText(/unió a Lucía con otro número/)).toBeVisible()
  await picture(page, 'contact-merged')
  for (const tab of [page, colleague]) {
    await expect(tab.locator('.thread').getByText('Cambié de número')).toBeVisible()
    await expect(tab.locator('.rows a.row')).toHaveCount(1)
  }
  await expect(page).toHaveURL(paths.chat(org.slug, again.phone))
  await panel.getByRole('button', { name: 'Separar' }).click()
  await expect(page.getByText('Los contactos vuelven a ser dos')).toBeVisible()
  for (const tab of [page, colleague]) {
    await expect(tab.locator('.rows a.row')).toHaveCount(2)
    await expect(tab.locator('.thread').getByText('Cambié de número')).toHaveCount(0)
    await expect(tab.locator('.thread').getByText('Hola, soy Lucía')).toBeVisible()
    await expect(tab).toHaveURL(paths.chat(org.slug, lucia.phone))
  }
})

test('on a wide screen the contact panel is beside the conversation and stays when switching', {
  tag: '@nightly',
}, async ({ page, org, another, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await lucia.does({ type: 'image', caption: 'La torta' })
  await org.customer(2, 'Bruno Paz').says('¿Abren hoy?')
  await page.setViewportSize({ width: 1440, height: 900 })
  await openInbox(page, lucia.phone)
  const panel = page.getByRole('region', { name: 'Contacto', exact: true })
  const nameOf = (name: string) => page.locator('.thread').getByRole('button', { name, exact: true })
  const note = panel.getByRole('textbox', { name: 'Nota del contacto' })
  await expect(panel).toBeVisible()
  await nameOf('Lucía Méndez').press('Enter')
  await expect(panel).toHaveCount(0)
  await nameOf('Lucía Méndez').press('Enter')
  await expect(panel).toBeFocused()
  await expect(panel.getByText('Lucía Méndez')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'contact-beside')

  await panel.getByRole('button', { name: 'Agregar', exact: true }).press('Enter')
  const tags = page.getByRole('dialog', { name: 'Etiquetas del contacto' })
  await tags.getByRole('combobox').fill('Mayorista')
  await tags.getByRole('option', { name: /Mayorista/ }).click()
  await page.keyboard.press('Escape')
  await expect(tags).toHaveCount(0)
  await expect(panel.getByRole('region', { name: 'Etiquetas' }).getByText('Mayorista')).toBeVisible()
  await expect(page.locator('.thread .head-tags')).toContainText('Mayorista')

  await note.fill('Prefiere retirar')
  await page.locator('.rows a.row', { hasText: 'Bruno Paz' }).click()
  await expect(panel.getByText('Bruno Paz')).toBeVisible()
  await expect(note, 'what is noted of one is not the other’s').toHaveValue('')
  await page.locator('.rows a.row', { hasText: 'Lucía Méndez' }).click()
  await expect(note, 'what was typed is still there').toHaveValue('Prefiere retirar')
  await page.reload()
  await expect(note, 'also after a reload').toHaveValue('Prefiere retirar')
  await org.call('PATCH', `/whatsapp/conversations/${lucia.phone}/contact`, { note: 'Alérgica al maní' })
  await expect(panel.getByText('Otra persona cambió la nota'), 'before it is replaced').toContainText(
    '«Alérgica al maní»',
  )
  await expect(note).toHaveValue('Prefiere retirar')
  await panel.getByRole('button', { name: 'Guardar nota' }).press('Enter')
  await expect(page.getByText('Nota guardada')).toBeVisible()
  await expect(note, 'the button is gone, the focus is not').toBeFocused()
  await note.press('Escape')
  await expect(nameOf('Lucía Méndez')).toBeFocused()
  await expect(panel, 'Escape leaves it, it stays').toBeVisible()

  const pencil = panel.getByRole('button', { name: 'Cambiar el nombre' })
  const nameField = panel.getByRole('textbox', { name: 'Nombre para tu organización' })
  await pencil.press('Enter')
  await nameField.fill('Otra')
  await nameField.press('Escape')
  await expect(pencil, 'Escape gives up this edit and nothing else').toBeFocused()
  await expect(panel).toBeVisible()
  await pencil.press('Enter')
  await expect(nameField).toHaveValue('')
  await nameField.press('Escape')

  await page.locator('.composer textarea').press('Control+.')
  await page.getByRole('textbox', { name: 'Nota interna' }).fill('Llamar el lunes')
  await page.keyboard.press('Enter')
  const notes = panel.getByRole('region', { name: 'Notas del chat' })
  await expect(notes.getByRole('link', { name: /Llamar el lunes/ })).toBeVisible()
  await notes.getByRole('link', { name: /Llamar el lunes/ }).click()
  await expect(page.locator('.thread [data-aimed]')).toContainText('Llamar el lunes')

  await page.goto(paths.chat(org.slug, lucia.phone))
  await expect(note).toHaveValue('Prefiere retirar')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(panel).toBeHidden()
  await nameOf('Lucía Méndez').click()
  const over = page.getByRole('dialog', { name: 'Lucía Méndez' })
  await expect(over).toBeVisible()
  await picture(page, 'contact-over')
  await over.getByRole('button', { name: 'Cambiar el nombre' }).press('Enter')
  await over.getByRole('textbox', { name: 'Nombre para tu organización' }).press('Escape')
  await expect(over.getByRole('textbox', { name: 'Nombre para tu organización' })).toHaveCount(0)
  await expect(over).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })
  await panel.getByRole('button', { name: 'Cerrar el contacto' }).click()
  await expect(panel).toHaveCount(0)
  await expect(nameOf('Lucía Méndez')).toBeFocused()
  await page.keyboard.press('c')
  await expect(panel).toBeFocused()
  // Letters act in the list and the thread, not in the panel.
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await expect(panel).toHaveCount(0)

  const marta = await another(await org.colleague('Marta Ríos'), {
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    locale: 'en-US',
  })
  await openInbox(marta, lucia.phone)
  await expect(marta.getByRole('region', { name: 'Contact', exact: true })).toContainText('Mayorista')
  await expectAccessible(marta)
  await picture(marta, 'contact-beside-dark')
})

test('a contact’s activity is listed beside the conversation, live, with links to its origin', {
  tag: '@nightly',
}, async ({ page, org, another, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await page.setViewportSize({ width: 1440, height: 900 })
  await openInbox(page, lucia.phone)
  const past = page.getByRole('region', { name: 'Historial' })
  await expect(page.getByRole('textbox', { name: 'Nota del contacto' })).toBeVisible()
  await expect(past, 'nothing was done yet').toHaveCount(0)

  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/tags', { label: 'Mayorista' })
  await org.call('PUT', `/whatsapp/chats/${lucia.phone}/tags/${id}`)
  await org.call('PUT', `/whatsapp/chats/${lucia.phone}/opt-out`, {})
  await lucia.says('ALTA')
  const lines = past.getByRole('listitem')
  await expect(lines).toHaveText([
    /^El cliente volvió a aceptar marketing/,
    /^Marketing suspendido por vos/,
    /^Etiqueta Mayorista puesta por vos/,
  ])
  for (let i = 0; i < 10; i += 1) {
    await org.call('PUT', `/whatsapp/chats/${lucia.phone}/opt-out`, {})
    await org.call('DELETE', `/whatsapp/chats/${lucia.phone}/opt-out`)
  }
  await expect(lines).toHaveCount(20)
  await past.getByRole('button', { name: 'Ver más' }).click()
  await expect(lines).toHaveCount(23)
  await expectAccessible(page)
  await lines.last().getByRole('link').click()
  await expect(page.locator('.thread [data-aimed]')).toContainText('Mayorista')
  await picture(page, 'contact-history')

  const marta = await another(await org.colleague('Marta Ríos'), {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'en-US',
  })
  await openInbox(marta, lucia.phone)
  await marta.getByTitle('View contact').click()
  const theirs = marta.getByRole('region', { name: 'History' })
  await theirs.scrollIntoViewIfNeeded()
  await expect(theirs.getByText(/^Opted back in to marketing by/).first()).toBeVisible()
  await expectNoSidewaysScroll(marta)
  await expectAccessible(marta)
  await picture(marta, 'contact-history-phone')
  await theirs.getByRole('link').first().click()
  await expect(marta.getByRole('dialog')).toHaveCount(0)
  await expect(marta.locator('.thread [data-aimed]')).toContainText('Opted back in')
})
