/** The table of what roles may, as it was agreed: a right that is given or taken anywhere shows here. */
import t from 'tap'
import { type Capability, capabilities, type OrgRole, orgRoles, roleCan } from '#shared/kernel/permissions.ts'

const everybody = orgRoles
const managers = ['owner', 'admin'] as const
const builders = [...managers, 'developer'] as const

const agreed: Readonly<Record<Capability, readonly OrgRole[]>> = {
  // Chat: read · reply
  'chat:read': ['owner', 'admin', 'member', 'developer', 'viewer'],
  'chat:reply': ['owner', 'admin', 'member'],
  // Bulk send
  'bulk:send': ['owner', 'admin', 'member'],
  // Templates, flows
  'template:edit': builders,
  // A file for a header: who writes templates, and who sends them
  'template:file': ['owner', 'admin', 'member', 'developer'],
  'flow:edit': builders,
  // Statistics: whoever pays sees costs and no conversations
  'stats:open': everybody,
  'stats:read': ['owner', 'admin', 'member', 'developer', 'viewer'],
  'cost:read': [...managers, 'billing'],
  // Integrations with the number, API keys, webhooks
  'integration:manage': builders,
  'connection:manage': builders,
  'connection:read': builders,
  'sandbox:use': ['owner', 'admin', 'member', 'developer'],
  // Members, teams, permissions
  'member:manage': managers,
  'contact:erase': managers,
  'org:update': managers,
  'audit:read': managers,
  // Single sign-on, for administrators, too; deleting and what everybody's sign-in needs, for owners
  'sso:manage': managers,
  'security:manage': ['owner'],
  'org:delete': ['owner'],
  // Everything there is, as an archive
  'data:export': managers,
}

t.test('each role may what was agreed, and nothing else', async t => {
  t.same(Object.keys(agreed).sort(), [...capabilities].sort())
  for (const capability of capabilities)
    for (const role of orgRoles)
      t.equal(roleCan(role, capability), agreed[capability].includes(role), `${role} ${capability}`)
})
