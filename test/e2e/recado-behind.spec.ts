/** The main job in front of another Recado: what one side does, the other has. */
import { startAdapter } from '#test/helpers/recado-adapter.ts'
import { expect, expectAccessible, Site, signIn, test } from './fixtures.ts'

test('a customer of the Recado behind is answered from the one in front, live', async ({ browser }) => {
  const behind = await Site.start()
  const theirs = await behind.org()
  const { key } = await theirs.call<{ key: string }>('POST', '/auth/api-key/create', { name: 'Recado en frente' })
  let frontUrl = ''
  const keys = new Map<string, string>()
  const adapter = await startAdapter({ behind: behind.url, keys, frontUrl: () => frontUrl })
  const front = await Site.start('sqlite', url => {
    frontUrl = url
    return { PRODUCT_API_URL: adapter.url, OUTBOUND_ALLOW: '127.0.0.1' }
  })
  try {
    const org = await front.org({ connected: false })
    keys.set(org.owner.org.id, key)
    const lucia = theirs.customer(1, 'Lucía Méndez')
    await lucia.says('¿Tienen pan?')
    const context = await browser.newContext({ locale: 'es-AR' })
    await signIn(context, front, org.owner)
    const page = await context.newPage()
    await org.until<{ stream: { state: string } | null }>(
      '/organization/upstream',
      ({ stream }) => stream?.state === 'open',
    )

    await page.goto(`${front.url}/org/${org.slug}/c`)
    const row = page.getByRole('link', { name: /Lucía Méndez/ }).first()
    await expect(row).toContainText('¿Tienen pan?')
    await row.click()
    const thread = page.getByRole('log')
    await expect(thread.getByText('¿Tienen pan?')).toBeVisible()

    await page.getByRole('textbox', { name: /Mensaje/ }).fill('Sí, de campo')
    await page.keyboard.press('Enter')
    await expect(thread.getByText('Sí, de campo')).toBeVisible()
    await expect.poll(() => theirs.received(lucia.phone)).toEqual(['Sí, de campo'])

    await lucia.says('¡Buenísimo!')
    await expect(thread.getByText('¡Buenísimo!')).toBeVisible()
    await expectAccessible(page)

    await page.reload()
    for (const text of ['¿Tienen pan?', 'Sí, de campo', '¡Buenísimo!'])
      await expect(thread.getByText(text)).toHaveCount(1)

    await page.goto(`${front.url}/org/${org.slug}/template`)
    await expect(page.getByText('pedido_listo').first()).toBeVisible()
    await page.goto(`${front.url}/org/${org.slug}/integrations`)
    await expect(page.getByText(/Avisos conectados desde/)).toBeVisible()
    await context.close()
    expect(front.complaints).toBe('')
  } finally {
    await front.end()
    adapter.server.closeAllConnections()
    adapter.server.close()
    await behind.end()
  }
})
