import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, type Page, picture, test } from './fixtures.ts'

const streamsOf = (page: Page) => {
  const asked: string[] = []
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/api/sse') asked.push(request.url())
  })
  return asked
}
/** What a browser reports while the server is down or not ready yet. */
const restarting = [
  /net::ERR_/,
  /Failed to fetch dynamically imported module/,
  /^503 GET \/(?:api|assets)\//,
  // Repeated forty seconds later.
  /^503 PUT \/api\/whatsapp\/conversations\/\d+\/presence/,
  // Requested at the moment the server stopped; the next message requests it again.
  /^503 POST \/api\/whatsapp\/chats\/\d+\/read/,
  /^console warning: The chat could not be marked as read ApiError/,
]
const row = (page: Page, text: string) =>
  page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link', { name: text })

test('two tabs and a colleague see a message at once, over one stream per browser', async ({
  page,
  org,
  another,
  openInbox,
  context,
}) => {
  const second = await context.newPage()
  const colleague = await another(await org.colleague('Marta'))
  const streams = [page, second].map(streamsOf)
  await openInbox()
  await second.goto(paths.chats(org.slug))
  await openInbox(colleague)

  await org.customer(1, 'Martín Torres').says('¿Abren el domingo?')
  for (const tab of [page, second, colleague])
    await expect(row(tab, 'Martín Torres')).toContainText('¿Abren el domingo?')
  expect(streams.flat(), 'streams of the first browser').toHaveLength(1)

  // The tab with the stream closes; another takes over and misses nothing.
  const takesOver = second.waitForRequest(request => new URL(request.url()).pathname === '/api/sse')
  await page.close()
  await org.customer(2, 'Rosa Díaz').says('Hola')
  await takesOver
  await expect(row(second, 'Rosa Díaz')).toContainText('Hola')
  await org.customer(2, 'Rosa Díaz').says('¿Están?')
  await expect(row(second, 'Rosa Díaz')).toContainText('¿Están?')
})

test('messages around a restart appear without a reload', async ({ page, org, site, complaints, openInbox }) => {
  complaints.announce(...restarting)
  const customer = org.customer(1, 'Martín Torres')
  await customer.says('uno')
  await openInbox(page, customer.phone)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.evaluate(() => Object.assign(window, { untouched: true }))
  await site.restart()
  await customer.says('dos')
  await expect(page.getByRole('article')).toHaveCount(2, { timeout: 30_000 })
  await customer.says('tres')
  await expect(page.getByRole('article')).toHaveCount(3)
  expect(await page.evaluate(() => (window as { untouched?: boolean }).untouched)).toBe(true)
})

test('a long absence is shown quietly, ends by itself, and nothing was missed', async ({
  page,
  org,
  site,
  complaints,
  openInbox,
}) => {
  complaints.announce(...restarting)
  const customer = org.customer(1, 'Martín Torres')
  const away = page.getByText('Sin conexión con el servidor. Reconectando…')
  await customer.says('uno')
  await openInbox(page, customer.phone)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(away).toHaveCount(0)
  await site.restart(async () => {
    await expect(away).toBeVisible({ timeout: 30_000 })
    await expectAccessible(page)
    await picture(page, 'away')
  })
  await customer.says('dos')
  await expect(page.getByRole('article')).toHaveCount(2, { timeout: 30_000 })
  await expect(away).toHaveCount(0)
})
