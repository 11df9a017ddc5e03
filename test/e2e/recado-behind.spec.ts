/** The main job in front of another Recado: what one side does, the other has. */
import { expect, expectAccessible, Site, signIn, test } from './fixtures.ts'

test('a customer of the Recado behind is answered from the one in front, live', async ({ browser }) => {
  const front = await Site.startFront()
  try {
    const org = await front.org()
    const lucia = org.customer(1, 'Lucía Méndez')
    await lucia.says('¿Tienen pan?')
    const context = await browser.newContext({ locale: 'es-AR' })
    await signIn(context, front, org.owner)
    const page = await context.newPage()
    await page.goto(`${front.url}/org/${org.slug}/c`)
    const row = page.getByRole('link', { name: /Lucía Méndez/ }).first()
    await expect(row).toContainText('¿Tienen pan?')
    await row.click()
    const thread = page.getByRole('log')
    await expect(thread.getByText('¿Tienen pan?')).toBeVisible()

    await page.getByRole('textbox', { name: /Mensaje/ }).fill('Sí, de campo')
    await page.keyboard.press('Enter')
    await expect(thread.getByText('Sí, de campo')).toBeVisible()
    await expect.poll(() => org.received(lucia.phone)).toEqual(['Sí, de campo'])

    await lucia.says('¡Buenísimo!')
    await expect(thread.getByText('¡Buenísimo!')).toBeVisible()
    await expectAccessible(page)

    await page.reload()
    for (const text of ['¿Tienen pan?', 'Sí, de campo', '¡Buenísimo!'])
      await expect(thread.getByText(text)).toHaveCount(1)

    // The one behind reads them from WhatsApp in the background; the page asks once.
    await org.until<{ items: unknown[] }>('/whatsapp/template', ({ items }) => items.length > 0)
    await page.goto(`${front.url}/org/${org.slug}/template`)
    await expect(page.getByText('pedido_listo').first()).toBeVisible()
    await page.goto(`${front.url}/org/${org.slug}/integrations`)
    // While parts of a page are still coming, a text may stand in the part that waits to be moved, too.
    await expect(page.getByText(/Avisos conectados desde/)).toHaveCount(1)
    await context.close()
    // On a busy machine a call may take longer than the three seconds that reads have; the page then asks again.
    const complaints = front.complaints.split('\n').filter(line => line && !line.includes('UPSTREAM_UNREACHABLE'))
    expect(complaints).toEqual([])
  } finally {
    await front.end()
  }
})
