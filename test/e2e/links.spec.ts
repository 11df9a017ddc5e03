import { landingOf } from '#client/shell/navigation.ts'
import { paths } from '#shared/kernel/paths.ts'
import { type Capability, orgRoles, roleCan } from '#shared/kernel/permissions.ts'
import type { AMember } from '#test/helpers/actors.ts'
import { expect, type Org, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

/** Every page of the organization, and what it requires. */
const pagesOf = (slug: string): Readonly<Record<string, Capability | undefined>> => ({
  [paths.chats(slug)]: 'chat:read',
  [paths.bulk(slug)]: 'bulk:send',
  [paths.bulkCreate(slug)]: 'bulk:send',
  [paths.contacts(slug)]: 'chat:read',
  [paths.templates(slug)]: 'chat:read',
  [paths.templateCreate(slug)]: 'template:edit',
  [paths.flows(slug)]: 'chat:read',
  [paths.stats(slug)]: 'stats:open',
  [paths.statsNow(slug)]: 'stats:read',
  [paths.integrations(slug)]: 'integration:manage',
  [paths.settingsOf(slug, 'organization')]: undefined,
  [paths.settingsOf(slug, 'attention')]: 'org:update',
  [paths.settingsOf(slug, 'hours')]: 'org:update',
  [paths.settingsOf(slug, 'contacts')]: 'org:update',
  [paths.settingsOf(slug, 'security')]: 'security:manage',
  [paths.settingsOf(slug, 'data')]: 'org:update',
  [paths.settingsOf(slug, 'danger')]: 'org:delete',
  [paths.settingsOf(slug, 'notifications')]: undefined,
  [paths.settingsOf(slug, 'whatsapp')]: 'connection:read',
  [paths.settingsOf(slug, 'prices')]: 'org:update',
  [paths.settingsOf(slug, 'tags')]: 'chat:read',
  [paths.settingsOf(slug, 'answers')]: 'chat:reply',
  [paths.settingsOf(slug, 'account')]: undefined,
  [paths.settingsOf(slug, 'profile')]: undefined,
  [paths.org(slug)]: undefined,
  [paths.teams(slug)]: undefined,
  [paths.audit(slug)]: 'audit:read',
  [paths.apiCalls(slug)]: 'integration:manage',
  [paths.deliveries(slug)]: 'integration:manage',
  [paths.simulator(slug)]: 'sandbox:use',
})

/** A chat, a template, a flow and a bulk send, by their addresses. */
const contentOf = async (org: Org): Promise<Readonly<Record<string, Capability>>> => {
  const customer = org.customer(1, 'Lucía Méndez')
  await customer.says('Hola')
  await org.call('POST', '/whatsapp/template/sync')
  const { items } = await org.call<{ items: { id: string; name: string }[] }>('GET', '/whatsapp/template')
  const template = items.find(({ name }) => name === 'hello_world')
  if (!template) throw new Error('The simulator has no template hello_world')
  const flow = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Bienvenida',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
        { id: 'm', type: 'message', position: { x: 360, y: 0 }, data: { text: 'Hola', ends: ['next'] } },
      ],
      edges: [{ source: 's', target: 'm' }],
    },
    triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }],
  })
  await org.call('POST', `/whatsapp/flows/${flow.id}/publish`, {})
  const send = await org.call<{ id: string }>('POST', '/whatsapp/bulk-sends', {
    template: template.id,
    audience: { numbers: customer.phone },
  })
  return {
    [paths.chat(org.slug, customer.phone)]: 'chat:read',
    [paths.template(org.slug, template.id)]: 'chat:read',
    [paths.bulkWith(org.slug, template.id)]: 'bulk:send',
    [paths.flow(org.slug, flow.id)]: 'chat:read',
    [paths.flowRuns(org.slug, flow.id)]: 'chat:read',
    // An owner's send to typed numbers is shown to owners and administrators only.
    [paths.bulkSend(org.slug, send.id)]: 'org:update',
  }
}

/** Pages of these addresses are alike: a few of them are enough. */
const kindOf = (path: string): string => path.replace(/\?.*/, '').replace(/[^/]*\d[^/]*/g, '…')
const perKind = 4

/** Follows links from page to page, as somebody who only clicks. Fails at a page that refuses the person. */
const walk = async (
  url: string,
  slug: string,
  first: string,
  { cookie }: Pick<AMember, 'cookie'>,
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  const kinds = new Map<string, number>()
  const waiting = [first]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(path)) continue
    found.add(path)
    const count = kinds.get(kindOf(path)) ?? 0
    kinds.set(kindOf(path), count + 1)
    if (count >= perKind) continue
    const response = await fetch(`${url}${path}`, { headers: { cookie } })
    const html = await response.text()
    expect(response.url, `the link to ${path}`).not.toContain('/unauthorized')
    expect(response.status, path).toBe(200)
    const hrefs = [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    )
    for (const { origin, pathname, search } of hrefs.map(href => new URL(href, response.url)))
      if (origin === url && `${pathname}/`.startsWith(`${paths.org(slug)}/`)) waiting.push(pathname + search)
  }
  return found
}

/** The owner on each day, of the others one in turn. */
const walkers = ['owner', ...inTurn(orgRoles.filter(role => role !== 'owner'))] as const

for (const role of walkers)
  test(`every page that a role may open is found by links from the first one: ${role}`, async ({ site, org }) => {
    const pages = { ...pagesOf(org.slug), ...(await contentOf(org)) }
    const person = role === 'owner' ? org.owner : await org.colleague('Vera', role)
    const found = await walk(site.url, org.slug, landingOf({ slug: org.slug, role }), person)
    const may = Object.entries(pages).filter(([, needs]) => needs === undefined || roleCan(role, needs))
    expect(may.map(([path]) => path).filter(path => !found.has(path))).toEqual([])
    const mayNot = Object.keys(pages).filter(path => !may.some(([one]) => one === path))
    expect(mayNot.filter(path => found.has(path))).toEqual([])
  })
