import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    card: 'Webhooks salientes',
    add: 'Agregar un webhook',
    name: 'Nombre',
    address: 'Dirección',
    save: 'Guardar',
    nameless: 'Escribí un nombre.',
    inside: /dirección pública completa/,
    added: 'Webhook «pedidos» agregado',
    kept: 'Ya lo guardé',
    on: 'Prendido',
    off: 'Apagado',
    actions: 'Acciones de pedidos',
    deliveries: 'Entregas',
    none: /Todavía no hay entregas/,
    test: 'Enviar prueba',
    tested: 'Prueba',
    attempts: 'Intentos',
    unreached: /No se pudo conectar|dirección no existe/,
    close: 'Cerrar',
    switchOff: 'Apagar',
    secret: 'Cambiar el secreto',
    fresh: 'Secreto nuevo de «pedidos»',
    remove: 'Eliminar',
    edit: 'Editar',
    group: 'Conversaciones',
    event: /^Conversación asignada/,
    sample: 'Ver un ejemplo',
    filters: 'Filtros',
    direction: 'Mensajes',
    received: 'Solo recibidos',
    headers: 'Encabezados propios',
    addHeader: 'Agregar un encabezado',
    headerName: 'Nombre del encabezado 1',
    headerValue: 'Valor del encabezado 1',
    badHeader: /Revisá los encabezados/,
    saved: 'Webhook guardado',
    show: 'Mostrar',
    waiting: 'En espera',
    failed: 'Falló',
    noneOfState: 'No hay ninguna.',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    card: 'Outgoing webhooks',
    add: 'Add webhook',
    name: 'Name',
    address: 'URL',
    save: 'Save',
    nameless: 'Enter a name.',
    inside: /full public address/,
    added: 'Webhook “pedidos” added',
    kept: "I've saved it",
    on: 'On',
    off: 'Off',
    actions: 'Actions for pedidos',
    deliveries: 'Deliveries',
    none: /No deliveries yet/,
    test: 'Send test',
    tested: 'Test',
    attempts: 'Attempts',
    unreached: /Couldn't connect|address doesn't exist/,
    close: 'Close',
    switchOff: 'Turn off',
    secret: 'Replace secret',
    fresh: 'New secret of “pedidos”',
    remove: 'Delete',
    edit: 'Edit',
    group: 'Conversations',
    event: /^Conversation assigned/,
    sample: 'Show sample',
    filters: 'Filters',
    direction: 'Messages',
    received: 'Received only',
    headers: 'Custom headers',
    addHeader: 'Add header',
    headerName: 'Name of header 1',
    headerValue: 'Value of header 1',
    badHeader: /Check the headers/,
    saved: 'Webhook saved',
    show: 'Show',
    waiting: 'Pending',
    failed: 'Failed',
    noneOfState: 'There are none.',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })
    test('a webhook is added, tested, disabled and deleted by keyboard', async ({ page, org, complaints }) => {
      complaints.announce(/400 (POST|PATCH) \/api\/whatsapp\/outgoing-webhooks/)
      await page.goto(`/org/${org.slug}/integrations`)
      const card = page.getByRole('region', { name: w.card })
      const dialog = page.getByRole('dialog')
      await card.getByRole('button', { name: w.add }).focus()
      await page.keyboard.press('Enter')
      await dialog.getByLabel(w.address).fill('https://10.0.0.1/pedidos')
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(w.nameless)).toBeVisible()
      await dialog.getByLabel(w.name).fill('Pedidos')
      await expect(dialog.getByLabel(w.name)).toHaveValue('pedidos')
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(w.inside)).toBeVisible()
      await expectAccessible(page)
      await picture(page, 'webhook-refused')
      // No host name ends like this.
      await dialog.getByLabel(w.address).fill('https://pedidos.invalid/recado')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog', { name: w.added })).toBeVisible()
      const secret = (await dialog.locator('code').textContent()) ?? ''
      expect(secret).toMatch(/^whsec_/)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'webhook-secret')
      await dialog.getByRole('button', { name: w.kept }).press('Enter')
      await expect(dialog).toHaveCount(0)
      await expect(card).toContainText('https://pedidos.invalid/recado')
      await expect(card.getByText(w.on, { exact: true })).toBeVisible()
      await expect(card).not.toContainText(secret)

      const choose = async (item: string) => {
        await card.getByRole('button', { name: w.actions }).press('Enter')
        await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
      }
      await choose(w.edit)
      await dialog.locator('summary', { hasText: w.group }).press('Enter')
      await dialog.getByRole('checkbox', { name: w.event }).press('Space')
      const group = dialog.getByRole('group', { name: w.group })
      await group.getByText(w.sample).nth(1).press('Enter')
      await expect(group.locator('pre:visible')).toContainText('"type": "conversation.assigned"')
      await dialog.locator('summary', { hasText: w.filters }).press('Enter')
      await dialog.getByLabel(w.direction, { exact: true }).selectOption(w.received)
      await dialog.locator('summary', { hasText: w.headers }).press('Enter')
      await dialog.getByRole('button', { name: w.addHeader }).press('Enter')
      await dialog.getByLabel(w.headerName).fill('Host')
      await dialog.getByLabel(w.headerValue).fill('llave-1042')
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(w.badHeader)).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'webhook-events')
      await dialog.getByLabel(w.headerName).fill('X-Llave')
      await page.keyboard.press('Enter')
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText(w.saved)).toBeVisible()
      const { items } = (await org.call('GET', '/whatsapp/outgoing-webhooks')) as { items: unknown[] }
      expect(items).toMatchObject([
        {
          ...{ events: ['action.tapped', 'conversation.assigned'], filter: { direction: 'in' }, headers: ['x-llave'] },
        },
      ])
      await choose(w.deliveries)
      await expect(dialog.getByText(w.none)).toBeVisible()
      await dialog.getByRole('button', { name: w.test }).press('Enter')
      const list = dialog.getByRole('list', { name: w.deliveries })
      await expect(list.getByText(w.tested, { exact: true })).toBeVisible()
      await list.getByText(w.tested, { exact: true }).click()
      await expect(list).toContainText(w.unreached, { timeout: 30_000 })
      await expect(list).toContainText(w.attempts)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'webhook-deliveries')
      await dialog.getByLabel(w.show, { exact: true }).selectOption(w.failed)
      await expect(dialog.getByText(w.noneOfState)).toBeVisible()
      await dialog.getByLabel(w.show, { exact: true }).selectOption(w.waiting)
      await expect(list.getByText(w.tested, { exact: true })).toBeVisible()
      await dialog.getByRole('button', { name: w.close }).press('Enter')
      await expect(dialog).toHaveCount(0)

      await choose(w.secret)
      await dialog.getByRole('button', { name: w.secret }).press('Enter')
      await expect(page.getByRole('dialog', { name: w.fresh })).toBeVisible()
      await expect(dialog.locator('code')).not.toHaveText(secret)
      await dialog.getByRole('button', { name: w.kept }).press('Enter')
      await choose(w.switchOff)
      await expect(card.getByText(w.off, { exact: true })).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'webhooks')
      await choose(w.remove)
      await dialog.getByRole('button', { name: w.remove }).press('Enter')
      await expect(dialog).toHaveCount(0)
      await expect(card).not.toContainText('pedidos.invalid')
    })
  })

test('a button calls another program', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  await org.call('POST', '/whatsapp/outgoing-webhooks', { name: 'pedidos', url: 'https://pedidos.invalid/' })
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Está listo?')
  await openInbox(page, lucia.phone)
  await page.getByRole('textbox', { name: /^Mensaje para/ }).fill('Tu pedido está listo.')
  await page.getByRole('button', { name: 'Más para enviar' }).click()
  await page.getByRole('menuitem', { name: 'Botón con acción' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Texto del botón' }).fill('Retirar')
  await dialog.getByLabel('Qué pasa cuando lo toca').selectOption('Avisa a otro programa')
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect(dialog.getByText('Elegí un webhook saliente.')).toBeVisible()
  await dialog.getByLabel('Webhook saliente').selectOption('pedidos')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Tu pedido está listo.').last()).toBeVisible()
})
