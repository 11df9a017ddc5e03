import { pixel } from '#test/helpers/neighbours.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    open: 'Enviar una plantilla',
    search: 'Buscar por nombre o por lo que dice',
    value: (text: string) => `Valor de «${text}»`,
    send: 'Enviar a Lucía Méndez',
    missing: 'Completá este campo.',
    oneLine: /una sola línea/,
    preview: 'Vista previa',
    ours: 'Mensaje nuestro',
    inList: /Utilidad · 0,026\sUSD/,
    chosen: /^Utilidad · cuesta unos 0,026\sUSD$/,
  },
  en: {
    locale: 'en-GB',
    width: 390,
    open: 'Send a template',
    search: 'Search by name or text',
    value: (text: string) => `Value for “${text}”`,
    send: 'Send to Lucía Méndez',
    missing: /Enter a value|required/i,
    oneLine: /single line/,
    preview: 'Preview',
    ours: 'Our message',
    inList: /Utility · USD\s0\.026/,
    chosen: /^Utility · costs about USD\s0\.026$/,
  },
} as const

for (const language of inTurn(['es', 'en'] as const)) {
  const w = words[language]
  test.describe(`in ${language}, ${w.width} px`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 844 } })

    test('with the window closed a template is found, filled in and sent, by keyboard alone', async ({
      page,
      org,
      complaints,
      openInbox,
    }) => {
      complaints.announce(/400 POST \/api\/whatsapp\/messages/)
      const lucia = org.customer(1, 'Lucía Méndez')
      await lucia.says('Hola')
      await org.call('POST', '/whatsapp/template/sync')
      await org.call('PUT', '/whatsapp/rate-card', {
        currency: 'USD',
        validFrom: '2026-11-01',
        rates: [
          { country: '*', prices: { UTILITY: 0.9 } },
          { country: 'AR', prices: { UTILITY: 0.026 } },
        ],
      })
      await openInbox(page, lucia.phone)
      await org.letPass(25)
      const open = page.getByRole('button', { name: w.open })
      await expect(open).toBeVisible()
      await open.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByLabel(w.search)).toBeFocused()
      await expect(dialog.getByRole('button', { name: /pedido_listo/ })).toContainText(w.inList)
      await expectAccessible(page)
      await picture(page, `choose-${language}`)
      await page.keyboard.press('ArrowDown')
      await expect(dialog.getByRole('list').getByRole('button').first()).toBeFocused()
      await page.keyboard.press('ArrowUp')
      await expect(dialog.getByLabel(w.search)).toBeFocused()
      await page.keyboard.type('retirar')
      // At once: the matches may still be on their way.
      await page.keyboard.press('Enter')
      await expect(dialog.getByLabel(w.value('Hola ___')), 'Enter takes the first match').toHaveValue('Lucía')
      await expect(dialog.getByText(w.chosen)).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('alert')).toHaveText(w.missing)
      await dialog.getByLabel(w.value('tu pedido ___')).fill('10     42')
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('alert')).toHaveText(w.oneLine)
      await dialog.getByLabel(w.value('tu pedido ___')).fill('1042')
      await expect(dialog.getByRole('region', { name: w.preview })).toContainText(
        'Hola Lucía, tu pedido 1042 ya está listo para retirar.',
      )
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `fill-${language}`)
      await page.keyboard.press('Enter')
      await expect(dialog).toHaveCount(0)
      const ours = page.getByRole('article', { name: w.ours })
      await expect(ours).toContainText('Hola Lucía, tu pedido 1042 ya está listo para retirar.')
      await expect(ours.getByRole('listitem')).toHaveText(['Voy para allá', 'Mañana paso'])
      await picture(page, `sent-${language}`)
    })
  })
}

test('a header shows its template’s own file, or another uploaded one', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const file = { name: 'vidriera.png', dataBase64: pixel }
  const template = {
    name: 'vidriera_nueva',
    language: 'es_AR',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Mirá la vidriera nueva que preparamos esta semana.' },
    ],
  }
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/template', { template, file })
  await org.call('POST', `/sandbox/template/${id}`, { status: 'APPROVED' })
  await org.call('POST', '/whatsapp/template/sync')
  await openInbox(page, lucia.phone)
  const dialog = page.getByRole('dialog')
  const choose = async () => {
    await page.getByRole('button', { name: 'Enviar una plantilla' }).click()
    await dialog.getByRole('button', { name: /vidriera_nueva/ }).click()
  }
  await choose()
  await expect(dialog.getByLabel('De dónde sale')).toHaveValue('kept')
  await expect(dialog.getByText('vidriera.png')).toBeVisible()
  const send = dialog.getByRole('button', { name: 'Enviar a Lucía Méndez' })
  await expect(send).toBeFocused()
  await expectAccessible(page)
  await picture(page, 'kept-file')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  const ours = page.getByRole('article', { name: 'Mensaje nuestro' })
  await expect(ours).toHaveCount(1)
  await expect(ours.getByRole('img', { name: 'Foto' })).toBeVisible()

  await choose()
  await dialog.getByLabel('De dónde sale').selectOption('address')
  await send.click()
  await expect(dialog.getByRole('alert')).toHaveText('Completá este campo.')
  await dialog.getByLabel('De dónde sale').selectOption('other')
  await send.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog
    .getByLabel('Otro archivo')
    .setInputFiles({ name: 'otra.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
  await expect(dialog.getByText('otra.png')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'other-file')
  await send.click()
  await expect(dialog).toHaveCount(0)
  await expect(ours).toHaveCount(2)
  await picture(page, 'files-sent')
})

test('a conversation is started with a number that never wrote, by keyboard alone', async ({
  page,
  org,
  complaints,
  openInbox,
}) => {
  complaints.announce(/404 GET \/api\/whatsapp\/c/)
  const w = words.es
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await org.call('POST', '/whatsapp/template/sync')
  // The contact is beside the chat.
  await page.setViewportSize({ width: 1440, height: 900 })
  await openInbox()
  await page.getByRole('button', { name: 'Chat nuevo' }).focus()
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Chat nuevo' })
  await expect(asked.getByLabel('Número de WhatsApp')).toBeFocused()
  await page.keyboard.type('11 5')
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('alert')).toContainText('No es un número válido de Argentina')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('hola')
  await expect(asked.getByRole('status')).toContainText('Ningún contacto coincide')
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('alert')).toContainText('Ningún contacto coincide')
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('luc')
  const found = asked.getByRole('list', { name: 'Contactos' }).getByRole('button')
  await expect(found).toHaveText([/Lucía Méndez/])
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('+54 9 11 5555 8899')
  await expect(found).toHaveText(['Escribirle al +54 9 11 5555 8899'])
  await page.keyboard.press('ArrowDown')
  await expect(found).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/c\/5491155558899/)
  await expect(page.getByText('Todavía no hay un chat con el +54 9 11 5555 8899')).toBeVisible()
  await expect(page.getByText('Los datos del contacto aparecen acá con el primer mensaje.')).toBeVisible()
  await expect(page.getByText('No hay ningún chat con ese número')).toHaveCount(0)
  await expect(page.getByRole('button', { name: w.open })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /pedido_listo/ }).click()
  for (const field of await dialog.getByRole('textbox').all()) await field.fill('12')
  await dialog.getByRole('button', { name: /^Enviar a/ }).click()
  await expect(page.getByRole('article', { name: w.ours })).toHaveCount(1)
})
