import { expect, expectAccessible, expectNoSidewaysScroll, picture, signIn, test } from './fixtures.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    invite: 'Invitar miembro',
    title: 'Invitar nuevo miembro',
    text: 'Envía una invitación por correo electrónico para unirse a la organización.',
    email: 'Correo electrónico',
    role: 'Rol',
    viewer: 'Solo lectura',
    send: 'Enviar invitación',
    wrong: 'Escribí un correo completo, como nombre@empresa.com.',
    pending: 'Invitaciones pendientes',
    cancelOf: 'Cancelar la invitación de marta@example.com',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    invite: 'Invite member',
    title: 'Invite a new member',
    text: 'Sends an invitation by e-mail to join the organization.',
    email: 'E-mail',
    role: 'Role',
    viewer: 'Viewer',
    send: 'Send invitation',
    wrong: 'Write a whole address, like name@company.com.',
    pending: 'Pending invitations',
    cancelOf: 'Cancel the invitation of marta@example.com',
  },
} as const

for (const [language, w] of Object.entries(words))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })
    test('somebody is invited later, by mail, and the invitation can be taken back', async ({ page, org, site }) => {
      await page.goto(`/org/${org.slug}`)
      await page.getByRole('button', { name: w.invite }).click()
      const dialog = page.getByRole('dialog', { name: w.title })
      await expect(dialog).toContainText(w.text)
      const email = dialog.getByLabel(w.email)
      await email.fill('marta')
      await dialog.getByRole('button', { name: w.send }).click()
      await expect(dialog.getByText(w.wrong)).toBeVisible()
      await expectAccessible(page)
      await picture(page, 'invite')
      await email.fill('marta@example.com')
      await dialog.getByLabel(w.role).selectOption({ label: w.viewer })
      await dialog.getByRole('button', { name: w.send }).click()
      await expect(dialog).toHaveCount(0)
      const invitations = page.getByRole('region', { name: w.pending })
      await expect(invitations.getByRole('listitem')).toContainText(['marta@example.com'])
      expect(site.mailedInvitation('marta@example.com')).toContain(`/org/${org.slug}/invitation`)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'pending')
      await page.getByRole('button', { name: w.cancelOf }).click()
      await expect(invitations).toHaveCount(0)
    })
  })

test('who may not manage members sees them and invites nobody', async ({ page, org, site, context }) => {
  await context.clearCookies()
  await signIn(context, site, await org.colleague('Vera', 'viewer'))
  await page.goto(`/org/${org.slug}`)
  await expect(page.getByRole('row').filter({ hasText: 'Vera' })).toBeVisible()
  await expect(page.getByRole('button', { name: words.es.invite })).toHaveCount(0)
})
