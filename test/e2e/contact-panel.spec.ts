import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('what the team notes of a contact is seen by a colleague; the files of the chat stand beside it', async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await lucia.does({ type: 'image', caption: 'La torta de cumpleaños' })
  await lucia.does({ type: 'document' })
  await org.until<{ items: { media?: { state: string } }[] }>(
    `/whatsapp/conversations/${lucia.phone}/gallery?kind=documents`,
    ({ items }) => items[0]?.media?.state === 'stored',
  )
  await openInbox(page, lucia.phone)
  await page.getByTitle('Ver contacto').click()
  const dialog = page.getByRole('dialog', { name: 'Lucía Méndez' })
  const note = dialog.getByRole('textbox', { name: 'Apunte del equipo' })
  await note.fill('Prefiere retirar por la tarde')
  await dialog.getByRole('button', { name: 'Guardar apunte' }).click()
  await expect(page.getByText('Apunte guardado')).toBeVisible()
  const files = dialog.getByRole('region', { name: 'Archivos del chat' })
  await expect(files.getByRole('link', { name: 'La torta de cumpleaños' })).toHaveAttribute('href', /\/media\//)
  await expectAccessible(page)
  await files.scrollIntoViewIfNeeded()
  await picture(page, 'contact-panel')
  await files.getByRole('button', { name: 'Documentos' }).click()
  await expect(files.getByRole('button', { name: 'Documentos' })).toHaveAttribute('aria-pressed', 'true')
  await expect(files.getByRole('listitem')).toHaveCount(1)
  await expect(files.getByRole('link')).toHaveAttribute('download', /./)
  await expectAccessible(page)

  const marta = await org.colleague('Marta Ríos')
  const phone = await another(marta, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await openInbox(phone, lucia.phone)
  await phone.getByTitle('Ver contacto').click()
  await expect(phone.getByRole('textbox', { name: 'Apunte del equipo' })).toHaveValue('Prefiere retirar por la tarde')
  await expectNoSidewaysScroll(phone)
  await expectAccessible(phone)
  await picture(phone, 'contact-panel-phone')
})
