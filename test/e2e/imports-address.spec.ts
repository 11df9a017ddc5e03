/** Chats are fetched from a Chatwoot that runs beside the site. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paths } from '#shared/kernel/paths.ts'
import { chatwootApi, chatwootToken } from '../fixtures/dumps/chatwoot-api.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, Site, signIn, tabTo, test } from './fixtures.ts'
import { grayPng } from './gray-png.ts'

/** Answers of one conversation wait until they are let go. */
const startChatwoot = async () => {
  const held = Promise.withResolvers<void>()
  let api: ReturnType<typeof chatwootApi> | undefined
  const server = createServer(async (request, response) => {
    if (request.url?.includes('/conversations/3/')) await held.promise
    const answer = api?.answer(request.url ?? '/', name => (request.headers[name] as string | undefined) ?? null)
    response.writeHead(answer?.status ?? 500, answer?.headers).end(answer?.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  api = chatwootApi({ address, picture: grayPng({ width: 300, height: 200 }) })
  const close = () => {
    held.resolve()
    server.closeAllConnections()
    server.close()
  }
  return { address, release: held.resolve, close }
}

test('an account of Chatwoot is fetched by its address and imported, by keyboard', async ({ browser }) => {
  const chatwoot = await startChatwoot()
  const site = await Site.start('sqlite', () => ({ OUTBOUND_ALLOW: '127.0.0.1' }))
  try {
    const org = await site.org()
    const context = await browser.newContext({ locale: 'es-AR' })
    await signIn(context, site, org.owner)
    const page = await context.newPage()
    await page.goto(site.url + paths.imports(org.slug))
    await tabTo(page, page.getByRole('radio', { name: 'WhatsApp' }))
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: /^Chatwoot/ })).toBeChecked()

    const form = page.getByRole('form', { name: 'Desde su dirección' })
    const token = form.getByLabel('Token de acceso de un administrador')
    await tabTo(page, form.getByLabel('Dirección de Chatwoot'))
    await page.keyboard.type(chatwoot.address)
    await page.keyboard.press('Enter')
    await expect(form).toContainText('Completá este campo.')
    await tabTo(page, token)
    await page.keyboard.type('otra')
    await page.keyboard.press('Enter')
    await expect(form.getByRole('alert')).toContainText('Chatwoot no acepta ese token')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await picture(page, 'import-address-refused')
    await token.press('ControlOrMeta+a')
    await page.keyboard.type(chatwootToken)
    await page.keyboard.press('Enter')

    const card = page.getByRole('region', { name: /^Panadería Don Luis/ })
    await expect(card).toContainText('0 de 9 chats')
    await expect(token).toHaveValue('')
    await expect(page.getByRole('listitem').and(page.locator(':focus'))).toContainText('Panadería Don Luis')
    await expectAccessible(page)
    await picture(page, 'import-address-fetching')
    await tabTo(page, card.getByRole('button', { name: 'Pausar' }))
    await page.keyboard.press('Enter')
    await expect(card).toContainText('Pausada')
    chatwoot.release()
    await tabTo(page, card.getByRole('button', { name: 'Seguir' }))
    await page.keyboard.press('Enter')

    await expect(card).toContainText('Mensajes64')
    await expect(card.getByLabel(/^WhatsApp Ventas/)).not.toHaveValue('')
    await tabTo(page, card.getByRole('button', { name: 'Importar', exact: true }))
    await page.keyboard.press('Enter')
    await expect(card).toContainText('Entraron 64 mensajes')
    await expectAccessible(page)
    await tabTo(page, card.getByText('Chat por chat'))
    await page.keyboard.press('Enter')
    await expect(card.getByRole('row', { name: /Persona 1/ })).toContainText('Coinciden')
    await tabTo(page, card.getByRole('link', { name: 'Persona 1' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Importado de Chatwoot por')).toBeVisible()
    await expect(page.locator('.messages img').first()).toBeVisible()
    await context.close()
  } finally {
    chatwoot.close()
    await site.end()
  }
})
