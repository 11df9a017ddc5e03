import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAxeRules, expectNoSidewaysScroll, outlineRules, test } from './fixtures.ts'

test('each page has one main part, one title and headings in order, and fits every width', {
  tag: '@nightly',
}, async ({ page, org }) => {
  test.slow()
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.until<{ items: unknown[] }>('/whatsapp/contacts', ({ items }) => items.length === 1)
  const { slug } = org
  const pages = [
    paths.chats(slug),
    paths.chat(slug, lucia.phone),
    `${paths.contacts(slug)}?contact=${lucia.phone}`,
    paths.bulk(slug),
    paths.templates(slug),
    paths.flows(slug),
    paths.stats(slug),
    paths.statsNow(slug),
    paths.integrations(slug),
    paths.settings(slug),
    paths.settingsOf(slug, 'organization'),
    paths.settingsOf(slug, 'attention'),
    paths.settingsOf(slug, 'data'),
    paths.settingsOf(slug, 'profile'),
    paths.org(slug),
    paths.audit(slug),
    paths.apiCalls(slug),
    paths.deliveries(slug),
    paths.simulator(slug),
  ]
  for (const path of pages) {
    await page.goto(path)
    await expect(page.getByRole('main').first()).toBeVisible()
    for (const width of [1440, 1024, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await expectAxeRules(page, outlineRules)
      await expectNoSidewaysScroll(page)
    }
  }
})
