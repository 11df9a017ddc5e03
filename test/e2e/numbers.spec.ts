import { createKeyring } from '#server/identity/numbers/keyring.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import { testSecret } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import type { Org, Page, Site } from './fixtures.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

/** Makes the simulator's number a real one and adds a second one to which the same customer wrote, too. */
const haveTwoNumbers = async (site: Site, org: Org) => {
  const { write } = site.databases
  const orgId = org.owner.org.id
  const known = await write
    .selectFrom('wa_connection')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  const [first, id] = ['5491150000001', newId()]
  const vault = createVault(testSecret)
  const keys = createKeyring({ databases: site.databases, clock: handClock(), vault }).encrypt(id, {
    accessToken: 'EAAsecond',
    appSecret: 'the-second-secret',
    verifyToken: 'verify-second',
  })
  await write
    .updateTable('wa_connection')
    .set({ kind: 'cloud', phone: first, shown_phone: first })
    .where('id', '=', known.id)
    .execute()
  await write.updateTable('conversation').set({ kind: 'cloud' }).where('org_id', '=', orgId).execute()
  const numberIds = { phone_number_id: String(Date.now()), waba_id: '2', phone: '5491150000002' }
  const sealed = {
    access_token_sealed: keys.accessToken,
    app_secret_sealed: keys.appSecret,
    verify_token_sealed: keys.verifyToken,
  }
  await write
    .insertInto('wa_connection')
    .values({ ...known, ...numberIds, ...sealed, id, kind: 'cloud', shown_phone: numberIds.phone, label: 'Ventas' })
    .execute()
  const conversation = await write
    .selectFrom('conversation')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  const chat = newId()
  await write
    .insertInto('conversation')
    .values({ ...conversation, id: chat, connection_id: id, kind: 'cloud', last_message_text: '¿Precio?' })
    .execute()
  return chat
}

const rows = (page: Page) => page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link')

test('with two numbers each conversation names its own, the list filters by it, and each is renamed and disconnected separately', {
  tag: '@nightly',
}, async ({ page, org, site, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('No anda el horno')
  await openInbox()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByLabel('Tu número')).toHaveCount(0)
  const chat = await haveTwoNumbers(site, org)

  await openInbox()
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).filter({ hasText: 'Ventas' })).toContainText('¿Precio?')
  await expect(rows(page).filter({ hasText: '…0001' })).toContainText('No anda el horno')
  await expectAccessible(page)
  await picture(page, 'list')
  await page.getByLabel('Tu número').selectOption('Ventas')
  await expect(rows(page)).toHaveCount(1)
  await rows(page).click()
  await expect(page).toHaveURL(new RegExp(`/c/${chat}\\?number=5491150000002$`))
  await expect(page.locator('.thread-who')).toContainText('en Ventas')
  await expect(page.locator('form.composer')).toContainText('Sale por Ventas')
  await expectAccessible(page)
  await picture(page, 'chat')
  await page.setViewportSize(narrow)
  await expectNoSidewaysScroll(page)
  await picture(page, 'chat-390')

  await page.goto(`/org/${org.slug}/integrations`)
  const other = page.getByRole('region', { name: '+54 9 11 5000 0001' })
  await expect(other).toContainText('Conectado')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'integrations-390')
  await page.setViewportSize(wide)
  await picture(page, 'integrations')
  await other.getByRole('button', { name: /^Acciones de/ }).click()
  await page.getByRole('menuitem', { name: 'Cambiar el nombre' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nombre').fill('Mostrador')
  await expectAccessible(page)
  await picture(page, 'rename')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Mostrador' })).toContainText('+54 9 11 5000 0001')

  const sales = page.getByRole('region', { name: 'Ventas' })
  await sales.getByRole('button', { name: 'Acciones de Ventas' }).click()
  await page.getByRole('menuitem', { name: 'Desconectar' }).click()
  await expect(dialog).toContainText('Por tus otros números se sigue escribiendo')
  await dialog.getByRole('button', { name: 'Desconectar' }).click()
  await expect(sales).toContainText('Sus conversaciones quedan para leer')
  await picture(page, 'let-go')

  await page.goto(`/org/${org.slug}/c/${chat}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByText('Ventas ya no está conectado')).toBeVisible()
  await expect(page.getByRole('textbox', { name: /Lucía/ })).toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'gone')
})
