import t from 'tap'
import {
  extrasFor,
  isWithin,
  landingOf,
  linksFor,
  navigationFor,
  pagesBelow,
  sameSection,
  sectionsFor,
} from '#client/shell/navigation.ts'
import { orgRoles } from '#shared/kernel/permissions.ts'

t.test('an owner sees six sections in order', async t => {
  t.same(
    sectionsFor('owner').map(({ title }) => title),
    ['nav.chat', 'nav.templates', 'nav.flows', 'nav.stats', 'nav.integrations', 'nav.settings'],
  )
})

t.test('contacts stand after the chats, for roles that may read chats', async t => {
  const titles = (role: string) => linksFor(role).map(({ title }) => title)
  t.same(titles('owner').slice(0, 3), ['nav.chat', 'nav.contacts', 'nav.templates'])
  t.same(
    titles('owner').filter(title => title !== 'nav.contacts'),
    sectionsFor('owner').map(({ title }) => title),
  )
  t.notOk(titles('billing').includes('nav.contacts'))
})

t.test('each role sees what it may open, and an unknown role what a viewer may', async t => {
  const names = (role: string) => sectionsFor(role).map(({ title }) => title)
  t.same(names('billing'), ['nav.stats', 'nav.settings'])
  t.same(names('invented'), names('viewer'))
  t.notOk(names('viewer').includes('nav.integrations'))
  for (const role of orgRoles) t.ok(names(role).includes('nav.settings'), role)
})

t.test('everybody lands on a page their role may open', async t => {
  t.equal(landingOf({ slug: 'x', role: 'member' }), '/org/x/c')
  t.equal(landingOf({ slug: 'x', role: 'billing' }), '/org/x/stats')
})

t.test('switching organizations keeps the section and drops what belongs to the first one', async t => {
  const norte = { slug: 'norte', role: 'owner' }
  const cases = {
    '/org/x/c': '/org/norte/c',
    '/org/x/c/5491155550000': '/org/norte/c',
    '/org/x/c/masive': '/org/norte/c/masive',
    '/org/x/template/create': '/org/norte/template/create',
    '/org/x/template/some-id': '/org/norte/template',
    '/org/x/flow/1': '/org/norte/flow',
    '/org/x/settings/profile': '/org/norte/settings/profile',
    '/org/x/settings/other': '/org/norte/settings',
    '/org/x': '/org/norte',
    '/org/x/': '/org/norte',
    '/org/x/contacts': '/org/norte/contacts',
    '/org/x/unknown': '/org/norte/c',
  }
  for (const [from, to] of Object.entries(cases)) t.equal(sameSection(from, norte), to, from)
})

t.test('a section the role may not open there leads to the landing page', async t => {
  t.equal(sameSection('/org/x/integrations', { slug: 'norte', role: 'viewer' }), '/org/norte/c')
  t.equal(sameSection('/org/x/c', { slug: 'norte', role: 'billing' }), '/org/norte/stats')
  t.equal(sameSection('/org/x/c/masive', { slug: 'norte', role: 'viewer' }), '/org/norte/c')
})

t.test('the palette lists nested pages by the same permissions, and the simulator only if it exists', async t => {
  const titles = (role: string, sandbox: boolean) =>
    navigationFor({ role, sandbox }).flatMap(({ items }) =>
      items.flatMap(item => [item.title, ...(item.items ?? []).map(({ title }) => title)]),
    )
  t.ok(titles('owner', true).includes('nav.simulator'))
  t.notOk(titles('owner', false).includes('nav.simulator'))
  t.notOk(titles('viewer', true).includes('nav.bulk'))
  t.notOk(titles('billing', true).includes('nav.chat'))
})

t.test('the organization and the simulator come last, each for roles that may open it', async t => {
  const titles = (role: string, sandbox: boolean) => extrasFor({ role, sandbox }).map(({ title }) => title)
  t.same(titles('member', true), ['nav.admin', 'nav.simulator'])
  t.same(titles('member', false), ['nav.admin'])
  t.same(titles('viewer', true), ['nav.admin'])
  t.same(titles('billing', true), ['nav.admin'])
})

t.test('bulk sends have a link under conversations for roles that may send them, no other section has one', async t => {
  const below = (role: string) =>
    sectionsFor(role).flatMap(section => pagesBelow(section, role).map(({ title }) => [section.title, title]))
  t.same(below('owner'), [['nav.chat', 'nav.bulk']])
  t.same(below('member'), [['nav.chat', 'nav.bulk']])
  for (const role of ['viewer', 'developer', 'billing']) t.same(below(role), [], role)
})

t.test('only one link is marked as current: never a section and one of its nested pages at once', async t => {
  const marked = (pathname: string) =>
    [
      ...linksFor('owner').flatMap(one => [one, ...pagesBelow(one, 'owner')]),
      ...extrasFor({ role: 'owner', sandbox: true }),
    ]
      .filter(item => isWithin(pathname, item, 'x'))
      .map(({ title }) => title)
  t.same(marked('/org/x/c'), ['nav.chat'])
  t.same(marked('/org/x/c/5491155550000'), ['nav.chat'])
  t.same(marked('/org/x/c/masive'), ['nav.bulk'])
  t.same(marked('/org/x/c/masive/create'), ['nav.bulk'])
  t.same(marked('/org/x'), ['nav.admin'])
  t.same(marked('/org/x/audit'), ['nav.admin'])
  t.same(marked('/org/x/contacts'), ['nav.contacts'])
  t.same(marked('/org/x/template/1'), ['nav.templates'])
})
