import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'
import { looks } from './looks.ts'

const pdf = Buffer.from('%PDF-1.4\n%%EOF').toString('base64')

const words = {
  es: {
    locale: 'es-AR',
    csv: 'Archivo de contactos',
    whose: 'Qué archivo recibe cada persona',
    column: 'El suyo: columna «factura»',
    fileName: 'Nombre del documento',
    variables: /^Variables/,
    plan: /^Plan\b/,
    files: 'Un archivo para cada persona: 1 de los subidos, 1 desde una dirección.',
    upload: 'Subir archivos',
    uploaded: 'Subidos: 2 de 2.',
    missing: 'No se encontró su archivo',
    unreachable: 'no respondió con el archivo',
    open: 'Enviar una plantilla',
    products: /Esta plantilla lleva productos del catálogo/,
    offerEnd: 'La oferta vale hasta',
    send: 'Enviar a Lucía Méndez',
    options: 'Opciones para elegir',
    copy: 'Copiar código',
  },
  en: {
    locale: 'en-GB',
    csv: 'Contacts file',
    whose: 'Which file each person gets',
    column: 'Their own file: column “factura”',
    fileName: 'Document name',
    variables: /^Variables/,
    plan: /^Review/,
    files: 'A file for each person: 1 uploaded, 1 from a link.',
    upload: 'Upload files',
    uploaded: 'Uploaded: 2 of 2.',
    missing: "Their file wasn't found",
    unreachable: "didn't return the file",
    open: 'Send a template',
    products: /This template includes catalog products/,
    offerEnd: 'Offer ends',
    send: 'Send to Lucía Méndez',
    options: 'Options to choose from',
    copy: 'Copy code',
  },
} as const

const body = (text: string) => ({ type: 'BODY', text })

for (const { language, theme, size } of inTurn(looks)) {
  const w = words[language]
  const viewport = { width: size === 'wide' ? 1440 : 390, height: 900 }
  test.describe(`in ${language}, ${theme}, ${size}`, () => {
    test.use({ locale: w.locale, viewport, colorScheme: theme })

    test('each recipient of a bulk send gets the file of their row', { tag: '@nightly' }, async ({
      page,
      org,
      openInbox,
    }) => {
      const lucia = org.customer(1, 'Lucía Méndez')
      const beto = org.customer(2, 'Beto')
      const caro = org.customer(3, 'Caro')
      const { id } = await org.call<{ id: string }>('POST', '/whatsapp/template', {
        template: {
          ...{ name: 'factura_del_mes', language: 'es_AR', category: 'UTILITY' },
          components: [{ type: 'HEADER', format: 'DOCUMENT' }, body('Te mandamos la factura de este mes.')],
        },
        file: { name: 'ejemplo.pdf', dataBase64: pdf },
      })
      await org.call('POST', `/sandbox/template/${id}`, { status: 'APPROVED' })
      await org.call('POST', '/whatsapp/template/sync')
      await openInbox(page)
      await page.goto(page.url().replace(/\/c(\?.*)?$/, '/c/masive/new'))
      await page.getByRole('button', { name: /factura_del_mes/ }).click()
      const rows = [
        'telefono,nombre,factura',
        `${lucia.phone},Lucía,lucia.pdf`,
        `${beto.phone},Beto,https://facturas.example/beto.pdf`,
        `${caro.phone},Caro,nadie.pdf`,
      ]
      const buffer = Buffer.from(rows.join('\n'))
      await page.getByLabel(w.csv).setInputFiles({ name: 'clientes.csv', mimeType: 'text/csv', buffer })
      // Before the file is read, nobody is chosen yet.
      await expect(page.getByText(/^3 (personas|people)$/).first()).toBeVisible()
      await page.getByRole('button', { name: w.variables }).click()
      await page.getByLabel(w.whose).selectOption({ label: w.column })
      const uploads = ['lucia.pdf', 'otra.pdf'].map(name => ({
        ...{ name, mimeType: 'application/pdf' },
        buffer: Buffer.from(pdf, 'base64'),
      }))
      await page.getByLabel(w.upload).setInputFiles(uploads)
      await expect(page.getByText(w.uploaded)).toBeVisible()
      await page.getByLabel(w.fileName).fill('Factura.pdf')
      await page.getByRole('button', { name: w.plan }).click()
      await expect(page.getByText(w.files)).toBeVisible()
      await expect(page.getByText(w.missing)).toBeVisible()
      await expect(page.getByText(w.unreachable)).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `file-${language}-${theme}-${size}`)
      await page.getByText(w.files).scrollIntoViewIfNeeded()
      await picture(page, `plan-${language}-${theme}-${size}`)
    })

    test('an offer asks for its end, and templates that cannot be sent from here say why', { tag: '@nightly' }, async ({
      page,
      org,
      openInbox,
    }) => {
      const lucia = org.customer(1, 'Lucía Méndez')
      await lucia.says('Hola')
      const add = async (name: string, components: object[]) => {
        const template = { name, language: 'es_AR', category: 'MARKETING', components }
        const { id } = await org.call<{ id: string }>('POST', '/whatsapp/template', { template })
        await org.call('POST', `/sandbox/template/${id}`, { status: 'APPROVED' })
      }
      await add('dos_por_uno', [
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Solo hoy', has_expiration: true } },
        body('Dos medialunas al precio de una.'),
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'COPY_CODE', example: 'DOSX1' },
            { type: 'URL', text: 'Ver', url: 'https://pan.example/oferta' },
          ],
        },
      ])
      await add('catalogo', [
        body('Mirá lo que salió del horno.'),
        { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'Ver productos' }] },
      ])
      await org.call('POST', '/whatsapp/template/sync')
      await openInbox(page, lucia.phone)
      await org.letPass(25)
      await page.getByRole('button', { name: w.open }).click()
      const dialog = page.getByRole('dialog')
      const products = dialog.getByRole('button', { name: /catalogo/ })
      await expect(products).toBeDisabled()
      await expect(products).toHaveText(w.products)
      await expectAccessible(page)
      await picture(page, `choose-${language}-${theme}-${size}`)
      await dialog.getByRole('button', { name: /dos_por_uno/ }).click()
      await dialog.getByRole('button', { name: w.send }).click()
      await expect(dialog.getByRole('alert').first()).toBeVisible()
      await dialog.getByLabel(w.offerEnd, { exact: true }).fill('2036-12-01T20:00')
      await expectAccessible(page)
      await picture(page, `offer-${language}-${theme}-${size}`)
      await dialog.getByRole('textbox').last().fill('DOSX1')
      await dialog.getByRole('button', { name: w.send }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText('Dos medialunas al precio de una.').last()).toBeVisible()
      await expect(page.getByRole('list', { name: w.options }).last()).toContainText(w.copy)
    })
  })
}
