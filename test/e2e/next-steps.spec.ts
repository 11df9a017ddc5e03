import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, picture, test } from './fixtures.ts'

test('an inbox without messages suggests first steps, and shows the first message when it arrives', async ({
  page,
  org,
  openInbox,
}) => {
  await openInbox(page)
  await expect(page.getByRole('heading', { name: 'Tu número ya recibe mensajes' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Probalo sin teléfono' })).toHaveAttribute(
    'href',
    paths.simulator(org.slug),
  )
  await expect(page.getByRole('link', { name: 'Sumá a tu equipo' })).toHaveAttribute('href', paths.invite(org.slug))
  await expectAccessible(page)
  await picture(page, 'next-steps')
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await expect(page.getByText('Elegí una conversación para leerla y responder.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Tu número ya recibe mensajes' })).toHaveCount(0)
})

test('without a number the next step is to connect one, for members who may', { tag: '@nightly' }, async ({
  another,
  site,
}) => {
  const org = await site.org({ connected: false })
  const owner = await another(org.owner)
  await owner.goto(paths.chats(org.slug))
  await expect(owner.getByRole('heading', { name: 'Todavía no hay un número conectado' })).toBeVisible()
  await expect(owner.getByRole('link', { name: 'Conectá tu WhatsApp' })).toHaveAttribute(
    'href',
    `${paths.companyCreation()}?org=${org.slug}`,
  )
  await owner.getByRole('link', { name: 'Sumá a tu equipo' }).click()
  await expect(owner.getByRole('dialog', { name: 'Invitar nuevo miembro' })).toBeVisible()
  const agent = await another(await org.colleague('Ana', 'member'))
  await agent.goto(paths.chats(org.slug))
  await expect(agent.getByRole('heading', { name: 'Todavía no hay un número conectado' })).toBeVisible()
  await expect(agent.getByRole('link', { name: 'Conectá tu WhatsApp' })).toHaveCount(0)
})
