import { paths } from '#shared/paths.ts'
import { expect, expectAccessible, picture, test } from './fixtures.ts'

test('an inbox to which nobody has written says what to do until then, and gives way to the first message', async ({
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
  await expect(page.getByRole('link', { name: 'Sumá a tu equipo' })).toHaveAttribute('href', paths.org(org.slug))
  await expectAccessible(page)
  await picture(page, 'next-steps')
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await expect(page.getByText('Elegí una conversación para leerla y responder.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Tu número ya recibe mensajes' })).toHaveCount(0)
})
