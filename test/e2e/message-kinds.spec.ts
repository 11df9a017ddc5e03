import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'

const composer = (page: Page) => page.getByRole('textbox', { name: /^Mensaje para/ })
const more = (page: Page) => page.getByRole('button', { name: 'Más para enviar' })
const dialog = (page: Page) => page.getByRole('dialog')
const send = (page: Page) => dialog(page).getByRole('button', { name: 'Enviar' })
const choose = async (page: Page, name: string) => {
  await more(page).click()
  await page.getByRole('menuitem', { name }).click()
}
const said = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

test('a location, a contact card, and questions with buttons and a list are sent from the composer', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Dónde están?')
  await openInbox(page, lucia.phone)

  await choose(page, 'Ubicación')
  await send(page).click()
  await expect(dialog(page).getByText('Ahí no hay coordenadas.')).toBeVisible()
  await dialog(page)
    .getByRole('textbox', { name: 'Coordenadas' })
    .fill('https://www.google.com/maps/@-34.6037,-58.3816,15z')
  await expect(dialog(page).getByText('Latitud -34.6037, longitud -58.3816')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Dirección' }).fill('Corrientes 1000')
  await send(page).click()
  await expect(dialog(page).getByText('WhatsApp muestra la dirección debajo')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Nombre del lugar' }).fill('Panadería Don Luis')
  await expectAccessible(page)
  await picture(page, 'location')
  await send(page).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(said(page, 'Panadería Don Luis')).toBeVisible()

  await choose(page, 'Contacto')
  await dialog(page).getByRole('textbox', { name: 'Nombre' }).fill('Reparto Norte')
  await send(page).click()
  await expect(dialog(page).getByText('Escribí un teléfono')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Teléfono' }).fill('+54 9 11 5555-0199')
  await send(page).click()
  await expect(said(page, 'Reparto Norte')).toBeVisible()

  await composer(page).fill('¿Retirás o te lo llevamos?')
  await choose(page, 'Botones')
  await expect(dialog(page).getByRole('textbox', { name: 'Mensaje' })).toHaveValue('¿Retirás o te lo llevamos?')
  await dialog(page).getByRole('textbox', { name: 'Opción 1', exact: true }).fill('Retiro')
  await dialog(page).getByRole('textbox', { name: 'Opción 2', exact: true }).fill('Retiro')
  await send(page).click()
  await expect(dialog(page).getByText('Dos opciones dicen lo mismo.')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Opción 2', exact: true }).fill('Envío')
  await expectAccessible(page)
  await picture(page, 'buttons')
  await send(page).click()
  await expect(said(page, '¿Retirás o te lo llevamos?')).toContainText('Envío')
  await expect(composer(page)).toHaveValue('')

  await choose(page, 'Lista de opciones')
  await dialog(page).getByRole('textbox', { name: 'Mensaje' }).fill('¿Qué pan querés?')
  await dialog(page).getByRole('textbox', { name: 'Opción 1', exact: true }).fill('Francés')
  await dialog(page).getByRole('textbox', { name: 'Descripción de la opción 1' }).fill('Recién horneado')
  await dialog(page).getByRole('button', { name: 'Agregar opción' }).click()
  await dialog(page).getByRole('textbox', { name: 'Opción 3', exact: true }).fill('Integral')
  await picture(page, 'list')
  await send(page).click()
  await expect(said(page, '¿Qué pan querés?')).toContainText('Recién horneado')
})

test('on a phone the menu and its dialogs fit', { tag: '@nightly' }, async ({ org, another, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const phone = await another(org.owner, { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' })
  await openInbox(phone, lucia.phone)
  await more(phone).click()
  await picture(phone, 'menu at 390')
  await phone.getByRole('menuitem', { name: 'Lista de opciones' }).click()
  await expectNoSidewaysScroll(phone)
  await expectAccessible(phone)
  await picture(phone, 'list at 390')
  await phone.keyboard.press('Escape')
  await expect(dialog(phone)).toHaveCount(0)
})

test('a button with an action is sent, and the result of the tap appears in the thread', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Está listo?')
  await org.call('POST', '/whatsapp/tags', { label: 'Confirmado' })
  await openInbox(page, lucia.phone)
  await composer(page).fill('Tu pedido 42 está listo. ¿Pasás hoy?')
  await choose(page, 'Botón con acción')
  await expect(dialog(page).getByRole('textbox', { name: 'Mensaje' })).toHaveValue(
    'Tu pedido 42 está listo. ¿Pasás hoy?',
  )
  await send(page).click()
  await expect(dialog(page).getByText('Escribí el texto del botón.')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Texto del botón' }).fill('Sí, paso')
  await send(page).click()
  await expect(dialog(page).getByText('Escribí qué confirma')).toBeVisible()
  const what = dialog(page).getByLabel('Qué pasa cuando lo toca')
  await what.selectOption('Abre una dirección')
  await dialog(page).getByRole('textbox', { name: 'Dirección' }).fill('http://panaderia.example')
  await send(page).click()
  await expect(dialog(page).getByText('que empiece con https://')).toBeVisible()
  await what.selectOption('Recibe una etiqueta')
  await expect(dialog(page).getByLabel('Etiqueta').getByRole('option', { name: 'Confirmado' })).toBeAttached()
  await what.selectOption('Confirma algo')
  await dialog(page).getByRole('textbox', { name: 'Qué confirma' }).fill('pedido 42')
  await expectAccessible(page)
  await picture(page, 'action')
  await send(page).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
  await expect(said(page, 'Tu pedido 42 está listo.')).toContainText('Sí, paso')
  type Sent = { items: { status: string; interactive?: { buttons?: { id: string }[] } }[] }
  const { items } = await org.until<Sent>(
    `/whatsapp/chats/${lucia.phone}`,
    ({ items }) => items.at(-1)?.interactive !== undefined && items.at(-1)?.status !== 'queued',
  )
  const choiceId = items.at(-1)?.interactive?.buttons?.[0]?.id ?? ''
  await lucia.does({ type: 'button_reply', choiceId, choiceTitle: 'Sí, paso' })
  await expect(page.getByText('Confirmó «pedido 42» con el botón «Sí, paso».')).toBeVisible()
  await expect(said(page, 'Sí, paso').last()).toBeVisible()
  await picture(page, 'action-taken')
  await expectAccessible(page)
})
