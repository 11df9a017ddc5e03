/** The pages in front of a product API of somebody else. */
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startProductApi } from '#test/helpers/product-api.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, Site, signIn, test } from './fixtures.ts'

const phone = '5491155550101'

test('people work in front of a product API, and the page stands when it is gone', async ({ browser }) => {
  let url = ''
  const api = await startProductApi({ recadoUrl: () => url })
  const site = await Site.start('sqlite', address => {
    url = address
    return { PRODUCT_API_URL: api.url, OUTBOUND_ALLOW: '127.0.0.1' }
  })
  try {
    const org = await site.org({ connected: false })
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    api.bookOf(org.owner.org.id).conversations.set(phone, {
      ...{ phone, name: 'Lucía Méndez', archived: false, unread: 1 },
      messages: [
        { id: 'm1', wamid: 'w1', direction: 'in', type: 'text', text: '¿Tienen pan?', at: at(5), status: 'received' },
      ],
    })
    const context = await browser.newContext({ locale: 'es-AR' })
    await signIn(context, site, org.owner)
    const page = await context.newPage()

    await page.goto(`${site.url}/org/${org.slug}/c`)
    const row = page.getByRole('link', { name: /Lucía Méndez/ }).first()
    await expect(row).toContainText('¿Tienen pan?')
    await row.click()
    await expect(page.getByText('¿Tienen pan?').last()).toBeVisible()
    await page.getByRole('textbox', { name: /Mensaje/ }).fill('Sí, de campo')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Sí, de campo').last()).toBeVisible()
    await expect
      .poll(() => api.bookOf(org.owner.org.id).conversations.get(phone)?.messages.at(-1)?.text)
      .toBe('Sí, de campo')

    await page.reload()
    await expect(page.getByText('Sí, de campo').last()).toBeVisible()

    await page.goto(`${site.url}/org/${org.slug}/integrations`)
    const card = page.getByRole('region', { name: 'Sistema conectado' })
    await expect(card).toContainText(api.url)
    await expect(card.getByRole('row', { name: /GET \/whatsapp\/conversations/ })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await picture(page, 'integrations')

    api.missing.add('GET /whatsapp/template')
    await page.goto(`${site.url}/org/${org.slug}/template`)
    await expect(page.getByText(/no ofrece esto: GET \/whatsapp\/template/).first()).toBeVisible()
    await expectAccessible(page)

    api.server.closeAllConnections()
    await new Promise(done => api.server.close(done))
    const answer = await page.goto(`${site.url}/org/${org.slug}/c`)
    expect(answer?.status()).toBe(200)
    await expect(page.getByRole('navigation').first()).toBeVisible()
    const list = page.getByRole('region', { name: 'Conversaciones' })
    await expect(list.getByText(/El sistema conectado no responde\. Estas son las últimas/)).toBeVisible()
    await expect(list.getByRole('link', { name: /Lucía Méndez/ })).toBeVisible()
    await expectAccessible(page)
    await picture(page, 'stale')
    await list.getByRole('link', { name: /Lucía Méndez/ }).click()
    await expect(page.getByText('Sí, de campo')).toHaveCount(1)
    await expect(page.getByRole('alert').filter({ hasText: 'No se pudo abrir esta conversación' })).toBeVisible()
    await context.close()
  } finally {
    await site.end()
    api.server.close()
  }
})

/** Resolves when the frame's navigation of a page has come, without waiting for the rest. */
const frameOf = (url: string, cookie: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { cookie } }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
        if (text.includes('</nav>')) resolve()
      })
      response.on('end', () => reject(new Error(`no frame: ${response.statusCode} ${text.slice(0, 200)}`)))
    }).on('error', reject)
  })

test('the frame of a page does not wait for a product API that hangs', async () => {
  let givenUp = 0
  const hanging = createServer((_, response) => response.on('close', () => (givenUp += 1)))
  await new Promise<void>(resolve => hanging.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
  const site = await Site.start('sqlite', () => ({ PRODUCT_API_URL: address, OUTBOUND_ALLOW: '127.0.0.1' }))
  try {
    const org = await site.org({ connected: false })
    const { name, value } = org.owner.sessionCookie
    const asked = new Promise(resolve => hanging.once('request', resolve))
    await frameOf(`${site.url}/org/${org.slug}/c`, `${name}=${value}`)
    await asked
    expect(givenUp).toBe(0)
  } finally {
    await site.end()
    hanging.closeAllConnections()
    hanging.close()
  }
})
