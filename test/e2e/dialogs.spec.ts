import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '#shared/kernel/paths.ts'
import { aPerson } from '#test/helpers/actors.ts'
import { aBulkDraft } from '#test/helpers/bulk-drafts.ts'
import { root } from '#test/helpers/sources.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  type Locator,
  type Org,
  type Page,
  picture,
  test,
} from './fixtures.ts'
import { inTurn } from './in-turn.ts'

type Room = 'admin' | 'settings' | 'site' | 'shell' | 'erasures' | 'bulk-sends'
type Say = (room: Room, key: string, values?: Readonly<Record<string, string>>) => string

/** The page's texts in this language. */
const sayIn = (language: string): Say => {
  const rooms = new Map<Room, Record<string, unknown>>()
  return (room, key, values = {}) => {
    if (!rooms.has(room))
      rooms.set(room, JSON.parse(readFileSync(join(root, `locales/${language}/${room}.json`), 'utf8')))
    const text = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], rooms.get(room))
    if (typeof text !== 'string') throw new Error(`${language} ${room}:${key} is no text`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  }
}

interface Opened {
  readonly name: string
  readonly title: string
  /** Elements to press in order; the last opens the dialog and gets the focus back afterwards. */
  readonly press: readonly { readonly role: 'button' | 'menuitem'; readonly name: string }[]
  readonly within?: string
}

const button = (name: string) => ({ role: 'button' as const, name })
const item = (name: string) => ({ role: 'menuitem' as const, name })

const onDanger = (say: Say): Opened[] => [
  {
    name: 'transfer',
    title: say('settings', 'danger.transfer'),
    press: [button(say('settings', 'danger.transferOpen'))],
  },
  { name: 'delete', title: say('settings', 'danger.delete'), press: [button(say('settings', 'danger.deleteOpen'))] },
]

const onContacts = (say: Say): Opened[] => [
  { name: 'field', title: say('settings', 'fields.addTitle'), press: [button(say('settings', 'fields.add'))] },
]

const onAccount = (say: Say): Opened[] => [
  {
    name: 'email',
    title: say('settings', 'emailChange.change'),
    press: [button(say('settings', 'emailChange.change'))],
  },
  { name: 'password', title: say('settings', 'password.add'), press: [button(say('settings', 'password.add'))] },
  {
    name: 'second-factor',
    title: say('settings', 'secondFactor.enableTitle'),
    press: [button(say('settings', 'secondFactor.enable'))],
  },
  {
    name: 'delete-account',
    title: say('shell', 'deleteAccount.title'),
    press: [button(say('shell', 'account.delete'))],
    within: 'main',
  },
]

const onAdmin = (say: Say): Opened[] => [
  { name: 'sso', title: say('admin', 'sso.title'), press: [button(say('admin', 'sso.title'))] },
]

const onTeams = (say: Say): Opened[] => [
  {
    name: 'team-remove',
    title: say('admin', 'teams.removeTitle', { name: 'Ventas' }),
    press: [button(say('admin', 'actionsOf', { name: 'Ventas' })), item(say('admin', 'teams.remove'))],
  },
]

const onSite = (say: Say, name: string): Opened[] => {
  const actions = button(say('site', 'actionsOf', { name }))
  return (['actAs', 'endSessions', 'makeAdmin', 'ban'] as const).map(question => ({
    name: question,
    title: say('site', `ask.${question}.title`, { name }),
    press: [actions, item(say('site', `ask.${question}.open`))],
  }))
}

/** Opens a dialog by keyboard, checks it, and closes it with Escape. */
const walk = async (page: Page, { name, title, press, within }: Opened) => {
  for (const { role, name } of press)
    await (within ? page.locator(within) : page).getByRole(role, { name, exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  const box = await dialog.boundingBox()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  expect(box && box.x >= 0 && box.x + box.width <= width, `${name} is as wide as the screen at most`).toBe(true)
  expect(box && box.y >= 0 && box.y + box.height <= height, `${name} is as high as the screen at most`).toBe(true)
  const [before, last] = (await dialog.getByRole('button').all()).slice(-2)
  const [left, right] = [await before?.boundingBox(), await last?.boundingBox()]
  if (left && right && left.y === right.y)
    expect(right.x - left.x - left.width, `the buttons of ${name} stand apart`).toBeGreaterThanOrEqual(8)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, name)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const [opener] = press
  await expect(page.locator(':focus'), `${name} gives the focus back`).toHaveAccessibleName(opener?.name as string)
}

const visit = async (page: Page, path: string, dialogs: readonly Opened[]) => {
  await page.goto(path)
  for (const dialog of dialogs) await walk(page, dialog)
}

const walkAll = async ({ page, org, say }: { page: Page; org: Org; say: Say }) => {
  await visit(page, paths.settingsOf(org.slug, 'danger'), onDanger(say))
  await visit(page, paths.settingsOf(org.slug, 'contacts'), onContacts(say))
  await visit(page, paths.settingsOf(org.slug, 'account'), onAccount(say))
  await visit(page, paths.org(org.slug), onAdmin(say))
  await visit(page, `${paths.org(org.slug)}?tab=teams`, onTeams(say))
}

for (const [language, locale, width, colorScheme] of inTurn([
  ['es', 'es-AR', 1440, 'light'],
  ['en', 'en-GB', 390, 'dark'],
  ['es', 'es-AR', 1024, 'dark'],
] as const))
  test.describe(`${language} at ${width}, ${colorScheme}`, () => {
    test.use({ locale, colorScheme, viewport: { width, height: 844 } })

    test('each dialog opens by keyboard, fits the screen, and returns the focus', { tag: '@nightly' }, async ({
      page,
      org,
      site,
      another,
    }) => {
      const say = sayIn(language)
      await org.call('POST', '/auth/organization/create-team', { organizationId: org.owner.org.id, name: 'Ventas' })
      const delia = await org.colleague('Delia Dialogante', 'developer')
      await walkAll({ page, org, say })
      const { databases, url: publicUrl } = site
      const admin = await another((await aPerson({ databases, publicUrl, siteRole: 'admin', name: 'Sara' })) as never)
      await visit(admin, `${paths.siteAdmin()}?search=${delia.user.email}`, onSite(say, 'Delia Dialogante'))
    })
  })

test('after deleting a row by keyboard the focus is on the next row, and after the last one on the page', async ({
  page,
  org,
}) => {
  const say = sayIn('es')
  const removeWith = async (opener: Locator, name: string) => {
    await opener.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  for (const _ of [1, 2]) await org.call('POST', '/whatsapp/bulk-drafts', { steps: aBulkDraft({}) })
  await page.goto(paths.bulk(org.slug))
  const drafts = page.getByRole('table', { name: say('bulk-sends', 'title') })
  const menus = drafts.getByRole('button')
  const removeDraft = async (menu: Locator) => {
    await menu.press('Enter')
    await removeWith(
      page.getByRole('menuitem', { name: say('bulk-sends', 'draft.delete') }),
      say('bulk-sends', 'draft.delete'),
    )
  }
  await expect(menus).toHaveCount(2)
  await removeDraft(menus.last())
  await expect(menus).toHaveCount(1)
  await expect(drafts.locator(':focus'), 'the only one left').toHaveCount(1)
  await removeDraft(menus)
  await expect(menus).toHaveCount(0)
  await expect(page.locator('#content')).toBeFocused()

  for (const name of ['Reparto', 'Ventas'])
    await org.call('POST', '/auth/organization/create-team', { organizationId: org.owner.org.id, name })
  await page.goto(`${paths.org(org.slug)}?tab=teams`)
  const actionsOf = (name: string) => page.getByRole('button', { name: say('admin', 'actionsOf', { name }) })
  await actionsOf('Reparto').press('Enter')
  await removeWith(page.getByRole('menuitem', { name: say('admin', 'teams.remove') }), say('admin', 'teams.remove'))
  await expect(actionsOf('Reparto')).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Ventas/ }).locator(':focus')).toHaveCount(1)
})
