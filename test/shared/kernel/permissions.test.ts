/** The agreed table of role permissions, so that any granted or revoked permission shows up here. */
import t from 'tap'
import { type Capability, capabilities, type OrgRole, orgRoles, roleCan } from '#shared/kernel/permissions.ts'

const everybody = orgRoles
const managers = ['owner', 'admin'] as const
const builders = [...managers, 'developer'] as const

const agreed: Readonly<Record<Capability, readonly OrgRole[]>> = {
  // Conversations: read and reply
  'chat:read': ['owner', 'admin', 'member', 'developer', 'viewer'],
  'chat:reply': ['owner', 'admin', 'member'],
  'note:write': ['owner', 'admin', 'member'],
  // Bulk sends
  'bulk:send': ['owner', 'admin', 'member'],
  // Templates and flows
  'template:edit': builders,
  // Header files: for roles that write templates or send them
  'template:file': ['owner', 'admin', 'member', 'developer'],
  'flow:edit': builders,
  // Statistics: the billing role sees costs and no conversations
  'stats:open': everybody,
  'stats:read': ['owner', 'admin', 'member', 'developer', 'viewer'],
  'cost:read': [...managers, 'billing'],
  // Integrations: numbers, API keys, webhooks
  'integration:manage': builders,
  'connection:manage': builders,
  'connection:read': builders,
  'sandbox:use': ['owner', 'admin', 'member', 'developer'],
  // Members, teams and permissions
  'member:manage': managers,
  'contact:erase': managers,
  'org:update': managers,
  'audit:read': managers,
  // Single sign-on: administrators as well. Deletion and rules for everybody's sign-in: owners
  'sso:manage': managers,
  'security:manage': ['owner'],
  'org:delete': ['owner'],
  // The archive of all data
  'data:export': managers,
}

t.test('each role has the agreed permissions and no others', async t => {
  t.same(Object.keys(agreed).sort(), [...capabilities].sort())
  for (const capability of capabilities)
    for (const role of orgRoles)
      t.equal(roleCan(role, capability), agreed[capability].includes(role), `${role} ${capability}`)
})
