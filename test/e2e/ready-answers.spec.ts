import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, type Page, picture, test } from './fixtures.ts'

const field = (page: Page) => page.getByRole('textbox', { name: /^Mensaje para/ })
const sent = (page: Page) => page.locator('.bubble')

test('a ready answer is created in the settings, found by slash and keyboard, and sent complete', async ({
  page,
  org,
  openInbox,
  complaints,
}) => {
  complaints.announce(/^409 POST \/api\/whatsapp\/ready-answers/)
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿A qué hora abren?')
  await openInbox(page, lucia.phone)

  // No answers yet: the link to create the first one.
  await page.getByRole('button', { name: 'Respuestas listas' }).click()
  await expect(field(page)).toBeFocused()
  const create = page.getByRole('link', { name: 'Crear una' })
  await expect(create).toBeVisible()
  await expect(field(page), 'the button writes nothing').toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(create).toHaveCount(0)
  await expect(field(page), 'Escape closes only what it opened').toBeFocused()
  await page.keyboard.press('/')
  await expect(create).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(create).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('/')
  await create.click()
  await expect(page).toHaveURL(paths.settingsOf(org.slug, 'answers'))

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Nueva respuesta' }).click()
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog.getByText('Completá este campo.')).toHaveCount(3)
  await dialog.getByLabel('Título').fill('Horarios')
  await dialog.getByLabel('Atajo').fill('/Horários')
  await dialog.getByLabel('Texto').fill('Hola ')
  await dialog.getByRole('button', { name: 'Primer nombre' }).click()
  await expect(dialog.getByLabel('Texto')).toHaveValue('Hola {{contacto.primer_nombre}}')
  await page.keyboard.type(', abrimos de 9 a 18.')
  await expectAccessible(page)
  await picture(page, 'ready-answer-dialog')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('«Horarios» guardada')).toBeVisible()
  await expect(page.locator('.answer-row')).toContainText('/horarios')
  await expect(page.locator('.answer-row')).toContainText('Solo vos')

  await page.getByRole('button', { name: 'Nueva respuesta' }).click()
  await dialog.getByLabel('Título').fill('Datos del banco')
  await dialog.getByLabel('Atajo').fill('horarios')
  await dialog.getByLabel('Texto').fill('Hola {{contacto.nombre}}, el alias es TRIGAL.')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog.getByText('Ya hay una respuesta con el atajo /horarios')).toBeVisible()
  await dialog.getByLabel('Atajo').fill('banco')
  await dialog.getByRole('checkbox', { name: 'La puede usar todo el equipo' }).check()
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.locator('.answer-row')).toHaveCount(2)
  await expectAccessible(page)
  await picture(page, 'ready-answers')

  // An Enter before the answers have loaded sends no bare shortcut.
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route('**/api/whatsapp/ready-answers', async route => {
    await held
    await route.continue()
  })
  await page.goto(paths.chat(org.slug, lucia.phone))
  await expect(field(page), 'what was begun is kept').toHaveValue('/')
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('/')
  letGo()
  await expect(page.getByRole('option')).toHaveCount(2)
  await expect(page.getByRole('article', { name: 'Mensaje nuestro' })).toHaveCount(0)
  await field(page).fill('')
  await page.getByRole('button', { name: 'Respuestas listas' }).click()
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.keyboard.type('ban')
  await expect(page.getByRole('option')).toHaveText([/Datos del banco/])
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Hola Lucía Méndez, el alias es TRIGAL.')
  await field(page).fill('')
  await field(page).pressSequentially('Buenas. /')
  const options = page.getByRole('option')
  await expect(options).toHaveCount(2)
  await expect(options.filter({ hasText: 'Horarios' })).toContainText('Hola Lucía, abrimos')
  await expectAccessible(page)
  await picture(page, 'ready-answers-picker')
  await page.keyboard.press('ArrowDown')
  await expect(options.filter({ hasText: 'Horarios' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await page.keyboard.type('hor')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('/hor')
  await expect(options).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Buenas. Hola Lucía, abrimos de 9 a 18.')
  await page.keyboard.press('Enter')
  await expect(sent(page).filter({ hasText: 'Hola Lucía, abrimos de 9 a 18.' })).toHaveCount(1)
})

test('unknown values in a ready answer are marked, and it is not sent until they are filled in', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const nobody = org.customer(3, '🙂')
  await nobody.says('Hola')
  await org.call('POST', '/whatsapp/ready-answers', {
    title: 'Saludo',
    shortcut: 'saludo',
    text: 'Hola {{contacto.nombre}}, ¿en qué te ayudo?',
  })
  await openInbox(page, nobody.phone)
  await field(page).pressSequentially('/saludo')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('Hola ⟦nombre del contacto⟧, ¿en qué te ayudo?')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Completá «nombre del contacto»' })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Completá «nombre del contacto» antes de enviar.')).toBeVisible()
  await field(page).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Completá' })).toBeVisible()
  await expectAccessible(page)
  // Typed text replaces the marker.
  await page.keyboard.type('Ana')
  await page.keyboard.press('Enter')
  await expect(sent(page).filter({ hasText: 'Hola Ana, ¿en qué te ayudo?' })).toHaveCount(1)
})

test('an answer attaches its file, shown before it is sent with the text as caption', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Me pasás la carta?')
  await page.goto(paths.settingsOf(org.slug, 'answers'))
  await page.getByRole('button', { name: 'Nueva respuesta' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nueva respuesta' })
  await dialog.getByRole('textbox', { name: 'Título' }).fill('La carta')
  await dialog.getByRole('textbox', { name: 'Atajo' }).fill('carta')
  await dialog.getByRole('textbox', { name: 'Texto' }).fill('Hola {{contacto.primer_nombre}}, acá va la carta')
  const field = dialog.getByLabel('Archivo adjunto')
  await field.setInputFiles({ name: 'nada.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) })
  await expect(dialog.getByRole('alert')).toHaveText('El archivo está vacío.')
  const pdf = { name: 'carta.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') }
  await field.setInputFiles(pdf)
  await expect(dialog.locator('.answer-file')).toContainText('carta.pdf')
  await expectAccessible(page)
  await picture(page, 'answer-file')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('.answer-row')).toContainText('carta.pdf')

  await openInbox(page, lucia.phone)
  const box = page.getByRole('textbox', { name: /^Mensaje para/ })
  await box.pressSequentially('/car')
  await expect(page.getByRole('option', { name: /La carta/ })).toContainText('carta.pdf')
  await picture(page, 'answer-file-picked')
  await box.press('Enter')
  const files = page.getByRole('dialog')
  await expect(files.getByRole('textbox', { name: 'Texto para carta.pdf' })).toHaveValue('Hola Lucía, acá va la carta')
  await picture(page, 'answer-file-leaves')
  await files.getByRole('button', { name: /^Enviar/ }).click()
  await expect(box).toHaveValue('')
  await expect(page.getByRole('article').filter({ hasText: 'acá va la carta' })).toContainText('carta.pdf')

  await page.goto(paths.settingsOf(org.slug, 'answers'))
  await page.locator('.answer-row').getByRole('button', { name: 'Acciones de La carta' }).click()
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  const change = page.getByRole('dialog')
  await change.getByRole('button', { name: 'Quitar' }).click()
  await change.getByRole('button', { name: 'Guardar' }).click()
  await expect(change).toHaveCount(0)
  await expect(page.locator('.answer-row')).not.toContainText('carta.pdf')
})
