import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, tabTo, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    create: 'Crear plantilla',
    name: 'Nombre',
    body: 'Texto del mensaje',
    variable: 'Variable',
    example: (n: number) => `Ejemplo de {{${n}}}`,
    addButton: 'Agregar botón',
    quickReply: 'Respuesta rápida',
    buttonText: 'Texto del botón',
    send: 'Enviar a revisión',
    edge: /no puede empezar ni terminar con una variable/,
    missing: /Falta un ejemplo/,
    inReview: 'En revisión',
    approved: 'Aprobada',
    rejected: 'Rechazada',
    paused: 'Pausada',
    back: /Vuelve (mañana )?a las \d\d:\d\d/,
    approve: 'Aprobar',
    reject: 'Rechazar',
    reason: 'Motivo del rechazo',
    pause: 'Pausar',
    remedy: /usá enlaces de tu propio dominio/,
    edit: 'Editar',
    again: /Meta la vuelve a revisar/,
    leave: 'Volver a la plantilla',
    remove: 'Eliminar',
    confirm: 'Eliminar plantilla',
    typed: /^Escribí /,
    blocked: /30 días/,
    restored: /Recuperamos lo que estabas escribiendo/,
    preview: 'Vista previa',
    search: 'Nombre o lo que dice el mensaje',
    noMatch: 'Ninguna plantilla coincide con lo que buscás.',
    clear: 'Quitar filtros',
    sync: 'Sincronizar',
    synced: /Al día con Meta/,
    start: /^Pedido listo/,
    draft: 'Guardar borrador',
    isDraft: 'Borrador',
    text: ['Hola ', ', tu torta ya está lista para retirar hoy.'],
    carousel: 'Carrusel',
    card: (n: number) => `Tarjeta ${n}`,
    cardBody: 'Texto de la tarjeta',
    chooseFile: 'Archivo de ejemplo: Elegir archivo',
    replaceFile: 'Archivo de ejemplo: Reemplazar',
    cards: ['Torta de ricota, entera.', 'Rogel de ocho capas.'],
  },
  en: {
    locale: 'en-GB',
    width: 390,
    create: 'Create template',
    name: 'Name',
    body: 'Message text',
    variable: 'Variable',
    example: (n: number) => `Example for {{${n}}}`,
    addButton: 'Add button',
    quickReply: 'Quick reply',
    buttonText: 'Button text',
    send: 'Submit for review',
    edge: /can't start or end with a variable/,
    missing: /Add an example for/,
    inReview: 'In review',
    approved: 'Approved',
    rejected: 'Rejected',
    paused: 'Paused',
    back: /Back (tomorrow )?at \d\d:\d\d/,
    approve: 'Approve',
    reject: 'Reject',
    reason: 'Rejection reason',
    pause: 'Pause',
    remedy: /use links of your own domain/,
    edit: 'Edit',
    again: /sends it to Meta for another review/,
    leave: 'Back to template',
    remove: 'Delete',
    confirm: 'Delete template',
    typed: /^Type /,
    blocked: /30 days/,
    restored: /We restored your unsaved work/,
    preview: 'Preview',
    search: 'Search by name or text',
    noMatch: 'No templates match your search.',
    clear: 'Clear filters',
    sync: 'Sync',
    synced: /Up to date with Meta/,
    start: /^Order ready/,
    draft: 'Save draft',
    isDraft: 'Draft',
    text: ['Hello ', ', your cake is ready to be picked up today.'],
    carousel: 'Carousel',
    card: (n: number) => `Card ${n}`,
    cardBody: 'Card text',
    chooseFile: 'Example file: Choose a file',
    replaceFile: 'Example file: Replace',
    cards: ['Ricotta cake, a whole one.', 'Rogel of eight layers.'],
  },
} as const

/** An image of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const bar = (page: Page) => page.locator('.template-bar')
const phone = (page: Page) => page.locator('.wa-phone')

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })

    test('a template is created, approved, rejected with a reason, and deleted by typing its name', async ({
      page,
      org,
    }) => {
      // The longest story: the whole life of a template, with axe at three points.
      test.slow()
      await page.goto(`/org/${org.slug}/template`)
      await page.getByRole('main').getByRole('link', { name: w.create }).click()
      await page.getByLabel(w.name, { exact: true }).fill('Torta lista')
      await expect(page.getByLabel(w.name, { exact: true })).toHaveValue('torta_lista')
      const body = page.getByLabel(w.body)
      await body.fill(w.text[0])
      await page.getByRole('button', { name: w.variable }).first().click()
      await expect(body).toHaveValue(`${w.text[0]}{{1}}`)
      // Immediately, because it is wrong and not just missing.
      await expect(page.getByRole('alert')).toContainText(w.edge)
      await body.press('End')
      await body.pressSequentially(w.text[1])
      await expect(page.getByRole('alert')).toHaveCount(0)
      await page.getByRole('button', { name: w.send }).click()
      await expect(page.getByLabel(w.example(1))).toBeFocused()
      await expect(page.getByRole('alert')).toContainText(w.missing)
      await page.getByLabel(w.example(1)).fill('Lucía')
      await page.getByRole('button', { name: w.addButton }).click()
      await page.getByRole('menuitem', { name: w.quickReply }).click()
      await page.getByLabel(w.buttonText).fill('OK')
      if (w.width < 900) await page.getByRole('button', { name: w.preview }).click()
      await expect(phone(page)).toContainText(`${w.text[0]}Lucía${w.text[1]}`)
      await expect(phone(page).getByRole('listitem')).toHaveText('OK')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `built-${language}`)
      await page.getByRole('button', { name: w.send }).click()
      // Then the review happens; nobody reloads the page.
      await expect(bar(page)).toContainText(new RegExp(`${w.inReview}|${w.approved}`))
      await page.getByRole('button', { name: w.approve }).click()
      await expect(bar(page)).toContainText(w.approved)
      await page.getByLabel(w.reason).selectOption('SCAM')
      await page.getByRole('button', { name: w.reject, exact: true }).click()
      await expect(bar(page)).toContainText(w.rejected)
      await expect(page.getByText(w.remedy)).toBeVisible()
      await page.getByRole('button', { name: w.approve }).click()
      await expect(bar(page)).toContainText(w.approved)
      await page.getByRole('button', { name: w.pause, exact: true }).click()
      await expect(bar(page)).toContainText(w.paused)
      await expect(page.getByText(w.back)).toBeVisible()
      const paused = page.url()
      await page.goto(paths.bulkWith(org.slug, paused.split('/').at(-1) ?? ''))
      await expect(page.getByRole('alert'), 'a send cannot begin with it until then').toContainText(w.back)
      await page.goto(paused)
      await page.getByRole('link', { name: w.edit, exact: true }).click()
      await expect(page.getByText(w.again)).toBeVisible()
      await page.getByRole('link', { name: w.leave }).click()
      await page.getByRole('button', { name: w.approve }).click()
      await expect(bar(page)).toContainText(w.approved)
      await expectAccessible(page)
      await bar(page).locator('button[aria-haspopup="menu"]').click()
      await page.getByRole('menuitem', { name: w.remove, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText(w.blocked)
      const confirm = dialog.getByRole('button', { name: w.confirm })
      await expect(confirm).toBeDisabled()
      await dialog.getByLabel(w.typed).fill('torta')
      await expect(confirm).toBeDisabled()
      await dialog.getByLabel(w.typed).fill('torta_lista')
      await expectAccessible(page)
      await confirm.click()
      await expect(page).toHaveURL(`/org/${org.slug}/template`)
      await expect(page.getByRole('table')).toBeVisible()
      await expect(page.getByRole('link', { name: 'torta_lista' })).toHaveCount(0)
    })

    test('a template is written and sent by keyboard alone', async ({ page, org }) => {
      await page.goto(`/org/${org.slug}/template/create`)
      const name = page.getByLabel(w.name, { exact: true })
      await tabTo(page, name)
      await page.keyboard.type('aviso_teclado')
      const body = page.getByLabel(w.body)
      await tabTo(page, body)
      await page.keyboard.type(`${w.text[0]}{{1}}${w.text[1]}`)
      await tabTo(page, page.getByLabel(w.example(1)))
      await page.keyboard.type('Ana')
      await tabTo(page, page.getByRole('button', { name: w.addButton }))
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem', { name: w.quickReply })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByLabel(w.buttonText)).toBeFocused()
      await page.keyboard.type('OK')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'aviso_teclado' })).toBeVisible()
      await expect(bar(page)).toContainText(new RegExp(`${w.inReview}|${w.approved}`))
    })

    test('a carousel is built card by card, previewed while typing, and sent', { tag: '@nightly' }, async ({
      page,
      org,
    }) => {
      await page.goto(`/org/${org.slug}/template/create`)
      const name = page.getByLabel(w.name, { exact: true })
      await name.fill('Vidriera')
      // In the form of Meta's names: the input was handled.
      await expect(name).toHaveValue('vidriera')
      await page.getByRole('radio', { name: w.carousel }).check()
      await page.getByLabel(w.body).fill(`${w.text[0]}!`)
      for (const [i, text] of w.cards.entries()) {
        const card = page.getByRole('group', { name: w.card(i + 1), exact: true })
        await card.getByLabel(w.chooseFile).setInputFiles({ name: 'torta.png', mimeType: 'image/png', buffer: dot })
        await expect(card.getByLabel(w.replaceFile)).toBeAttached()
        await card.getByLabel(w.cardBody).fill(text)
        await card.getByLabel(w.buttonText).fill('OK')
      }
      if (w.width < 900) await page.getByRole('button', { name: w.preview }).click()
      for (const text of w.cards) await expect(phone(page)).toContainText(text)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `carousel-${language}`)
      await page.getByRole('button', { name: w.send }).click()
      await expect(bar(page)).toContainText(new RegExp(`${w.inReview}|${w.approved}`))
      for (const text of w.cards) await expect(phone(page)).toContainText(text)
    })

    test('an unfinished template survives a reload, is saved as a draft, and is listed', {
      tag: '@nightly',
    }, async ({ page, org }) => {
      await page.goto(`/org/${org.slug}/template/create`)
      await page.getByRole('link', { name: w.start }).click()
      const name = page.getByLabel(w.name, { exact: true })
      await expect(name).toHaveValue(/_/)
      await name.fill('Mi aviso')
      // In the form of Meta's names: the input was handled.
      await expect(name).toHaveValue('mi_aviso')
      await page.reload()
      await expect(page.getByText(w.restored)).toBeVisible()
      await expect(name).toHaveValue('mi_aviso')
      await page.getByRole('button', { name: w.draft }).click()
      await expect(page).toHaveURL(/template\/edit\//)
      await page.goto(`/org/${org.slug}/template`)
      const row = page.getByRole('row').filter({ hasText: 'mi_aviso' })
      await expect(row).toContainText(w.isDraft)
      await page.getByLabel(w.search).fill('nothing_like_this')
      await expect(page.getByText(w.noMatch)).toBeVisible()
      await page.getByRole('link', { name: w.clear }).click()
      await expect(row).toBeVisible()
      await page.getByRole('button', { name: w.sync }).click()
      await expect(page.getByText(w.synced)).toBeVisible()
      await expect(row).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })
  })

test('the old address redirects, and an unknown template is not found', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
}) => {
  complaints.announce(/404/)
  await page.goto(`/${org.slug}/template/recado`)
  await expect(page).toHaveURL(`/org/${org.slug}/template`)
  await page.goto(`/org/${org.slug}/template/999`)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect(page.locator('.template-bar')).toHaveCount(0)
})
