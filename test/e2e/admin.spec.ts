import { expect, expectAccessible, expectNoSidewaysScroll, picture, signIn, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

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
    audit: 'Auditoría',
    canceled: 'canceló una invitación',
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
    wrong: 'Enter a full address, such as name@company.com.',
    pending: 'Pending invitations',
    cancelOf: 'Cancel the invitation to marta@example.com',
    audit: 'Audit log',
    canceled: 'canceled an invitation',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })
    test('a member is invited by mail later, and the invitation can be revoked', async ({ page, org, site }) => {
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
      await page.getByRole('main').getByRole('link', { name: w.audit }).click()
      const newest = page.getByRole('main').getByRole('listitem').first()
      await expect(newest).toContainText(w.canceled)
      await expect(newest).toContainText('marta@example.com')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'audit')
    })
  })

test('a member without the right to manage members sees them but cannot invite', { tag: '@nightly' }, async ({
  page,
  org,
  site,
  context,
}) => {
  await context.clearCookies()
  await signIn(context, site, await org.colleague('Vera', 'viewer'))
  await page.goto(`/org/${org.slug}`)
  await expect(page.getByRole('row').filter({ hasText: 'Vera' })).toBeVisible()
  await expect(page.getByRole('button', { name: words.es.invite })).toHaveCount(0)
})

test('a long member list is paged and can be searched', { tag: '@nightly' }, async ({ page, org }) => {
  for (let i = 0; i < 60; i += 1) await org.colleague(`Persona ${String(i).padStart(2, '0')}`)
  await page.goto(`/org/${org.slug}`)
  const people = page.getByRole('row').filter({ hasText: 'Persona' })
  await expect(page.getByText('Se muestran 50 de 61 miembros.')).toBeVisible()
  await page.getByRole('button', { name: 'Ver más' }).click()
  await expect(people).toHaveCount(60)
  await expect(page.getByRole('button', { name: 'Ver más' })).toHaveCount(0)
  const words = page.getByRole('searchbox', { name: 'Buscar por nombre o correo' })
  await words.fill('persona 57')
  await words.press('Enter')
  await expect(people).toHaveCount(1)
  await expect(page).toHaveURL(/search=persona\+57/)
  await expectAccessible(page)
  await picture(page, 'members-found-1440')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'members-found-390')
  await words.fill('nadie así')
  await words.press('Enter')
  await expect(page.getByText('No hay nadie que coincida.')).toBeVisible()
  await words.fill('')
  await words.press('Enter')
  await expect(people.first()).toBeVisible()
})

const adminWords = {
  es: {
    locale: 'es-AR',
    width: 1440,
    teams: 'Equipos',
    create: 'Crear equipo',
    createTitle: 'Crear nuevo equipo',
    name: 'Nombre del equipo',
    description: 'Descripción',
    required: 'El nombre del equipo es requerido',
    count: ['0 miembros', '1 miembro'],
    actions: (name: string) => `Acciones de ${name}`,
    see: 'Ver miembros',
    edit: 'Editar equipo',
    save: 'Guardar',
    remove: 'Eliminar equipo',
    members: 'Miembros',
    billing: 'Facturación',
    editMember: 'Editar miembro',
    content: 'Editar acceso a contenido',
    contentTitle: /^Editar acceso de contenido al rol:/,
    contentTags: 'Acceso a contenido de envios Masivos:',
    contentSaved: 'Permisos de miembro actualizados correctamente',
    conversations: /Aplicar también a conversaciones/,
    removeMember: 'Eliminar',
    stays: /quedan en la bandeja/,
    close: 'Cerrar',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    teams: 'Teams',
    create: 'Create team',
    createTitle: 'Create team',
    name: 'Team name',
    description: 'Description',
    required: 'The team name is required',
    count: ['0 members', '1 member'],
    actions: (name: string) => `Actions for ${name}`,
    see: 'View members',
    edit: 'Edit team',
    save: 'Save',
    remove: 'Delete team',
    members: 'Members',
    billing: 'Billing',
    editMember: 'Edit member',
    content: 'Edit content access',
    contentTitle: /^Edit content access for role:/,
    contentTags: 'Access to bulk send content:',
    contentSaved: 'Member permissions updated',
    conversations: /Apply to conversations too/,
    removeMember: 'Remove',
    stays: /stay in the inbox/,
    close: 'Close',
  },
} as const

for (const [language, w] of inTurn(Object.entries(adminWords)))
  test.describe(`administration, ${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })

    test('teams are created, filled, changed and deleted', { tag: '@nightly' }, async ({ page, org }) => {
      await org.colleague('Vera Núñez', 'viewer')
      await page.goto(`/org/${org.slug}`)
      await page.getByRole('link', { name: w.teams, exact: true }).click()
      await expect(page.locator('.crumbs [aria-current="page"]')).toHaveText(w.teams)
      await page.getByRole('button', { name: w.create }).click()
      const dialog = page.getByRole('dialog', { name: w.createTitle })
      const box = await dialog.boundingBox()
      expect(box?.width).toBe(Math.min(425, w.width - 32))
      await dialog.getByRole('button', { name: w.create }).click()
      await expect(dialog.getByText(w.required)).toBeVisible()
      await dialog.getByLabel(w.name).fill('Ventas')
      await dialog.getByLabel(w.description).fill('Pedidos y precios')
      await expect(dialog.getByLabel(w.description)).toHaveAttribute('rows', '3')
      await expectAccessible(page)
      await picture(page, 'create-team')
      await dialog.getByRole('button', { name: w.create }).click()
      await expect(dialog).toHaveCount(0)
      const row = page.getByRole('row').filter({ hasText: 'Ventas' })
      await expect(row).toContainText('Pedidos y precios')
      await expect(row).toContainText(w.count[0])

      await row.getByRole('button', { name: w.actions('Ventas') }).click()
      await page.getByRole('menuitem', { name: w.see }).click()
      await page.getByRole('checkbox', { name: /Vera Núñez/ }).check()
      await expectAccessible(page)
      await picture(page, 'team-members')
      await page.getByRole('dialog').getByRole('button', { name: w.close }).click()
      await expect(row).toContainText(w.count[1])
      await expect(row.locator('.avatar')).toHaveText(['VN'])

      await row.getByRole('button', { name: w.actions('Ventas') }).click()
      await page.getByRole('menuitem', { name: w.edit }).click()
      await page.getByRole('dialog').getByLabel(w.name).fill('Mostrador')
      await page.getByRole('dialog').getByRole('button', { name: w.save }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.reload()
      const renamed = page.getByRole('row').filter({ hasText: 'Mostrador' })
      await expect(renamed).toContainText(w.count[1])
      await expect(renamed).toContainText('Pedidos y precios')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'teams')
      await renamed.getByRole('button', { name: w.actions('Mostrador') }).click()
      await page.getByRole('menuitem', { name: w.remove }).click()
      await page.getByRole('dialog').getByRole('button', { name: w.remove }).click()
      await expect(renamed).toHaveCount(0)
    })

    test('a member gets another role and is removed, by keyboard', async ({ page, org }) => {
      await org.colleague('Vera Núñez', 'viewer')
      await page.goto(`/org/${org.slug}`)
      const row = page.getByRole('row').filter({ hasText: 'Vera' })
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'members')
      await row.getByRole('button', { name: w.actions('Vera Núñez') }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem', { name: w.editMember })).toBeFocused()
      await page.keyboard.press('Enter')
      const edit = page.getByRole('dialog', { name: w.editMember })
      await edit.getByRole('combobox').selectOption('billing')
      await edit.getByRole('button', { name: w.save }).press('Enter')
      await expect(edit).toHaveCount(0)
      await expect(row).toContainText(w.billing)
      await row.getByRole('button', { name: w.actions('Vera Núñez') }).press('Enter')
      await expect(page.getByRole('menuitem', { name: w.editMember })).toBeFocused()
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('menuitem', { name: w.content })).toBeFocused()
      await page.keyboard.press('Enter')
      const content = page.getByRole('dialog', { name: w.contentTitle })
      await expect(content.getByRole('group', { name: w.contentTags })).toBeVisible()
      await content.getByRole('checkbox', { name: w.conversations }).press('Space')
      await expect(page.getByText(w.contentSaved)).toBeVisible()
      await expect(content.getByRole('checkbox', { name: w.conversations })).toBeChecked()
      await expectAccessible(page)
      await picture(page, 'content-access')
      await content.getByRole('button', { name: w.close }).press('Enter')
      await expect(content).toHaveCount(0)
      await row.getByRole('button', { name: w.actions('Vera Núñez') }).press('Enter')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      const question = page.getByRole('dialog')
      await expect(question).toContainText(w.stays)
      await expectAccessible(page)
      await picture(page, 'remove-member')
      await question.getByRole('button', { name: w.removeMember }).press('Enter')
      await expect(row).toHaveCount(0)
    })
  })
