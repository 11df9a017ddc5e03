import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import type { Translate } from '#server/platform/http/plugins/error-reply.ts'
import type { TagOf } from '#server/platform/http/plugins/openapi-document.ts'

/** The parts of the reference, in the order of its menu; their names are `docs:groups.*`. */
export const groups = [
  'messages',
  'conversations',
  'contacts',
  'templates',
  'bulkSends',
  'flows',
  'webhooks',
  'incomingHooks',
  'gateway',
  'agents',
  'numbers',
  'statistics',
  'moving',
  'organization',
  'account',
  'simulator',
  'installation',
] as const
export type Group = (typeof groups)[number]

/** Services by group; `service.call` where one service belongs to two groups. */
const members: Readonly<Record<Group, readonly string[]>> = {
  messages: [
    ...['inbox.sendMessage', 'inbox.listMessages', 'inbox.searchMessages', 'inbox.retryMessage', 'inbox.cancelMessage'],
    ...['inbox.reactToMessage', 'inbox.markRead', 'inbox.showTyping', 'messageInfo', 'media', 'scheduledMessages'],
    ...['windowTemplates', 'drafts', 'readyAnswers'],
  ],
  conversations: ['inbox', 'notes', 'snoozes', 'assignment', 'presence', 'savedViews'],
  contacts: ['contacts', 'contactFields', 'contactMerges', 'tags', 'optOuts', 'erasures'],
  templates: ['templates'],
  bulkSends: ['bulkSends.sendTemplate', 'bulkSends', 'bulkDrafts', 'history'],
  flows: ['flows', 'flowHooks', 'flowSecrets', 'flowSettings', 'flowTests', 'flowReplays', 'flowPresence'],
  webhooks: ['outgoingWebhooks', 'live'],
  incomingHooks: ['incomingHooks', 'flowHooks.beginByHook'],
  gateway: ['gateway'],
  agents: ['mcp', 'programs'],
  numbers: ['numbers', 'numberStanding', 'deliveries', 'webhooks'],
  statistics: ['stats', 'statsExport', 'statsReport'],
  moving: ['contactImports', 'imports', 'chatExport', 'orgExport'],
  organization: [
    ...['members', 'orgs', 'orgSettings', 'orgOwnership', 'invitations', 'visibility', 'apiCalls', 'audit'],
    ...['retention', 'fileUse', 'logos', 'upstream'],
  ],
  account: [
    ...['auth', 'profile', 'emailChange', 'passwords', 'secondFactor', 'sessions', 'sso', 'notifications', 'push'],
  ],
  simulator: ['sandbox', 'sandboxGraph'],
  installation: ['site', 'health', 'metrics', 'api', 'manual'],
}

const groupByName: ReadonlyMap<string, Group> = new Map(
  groups.flatMap(group => members[group].map(name => [name, group] as const)),
)

/** A service that no group names is of the installation; a suite finds it. */
export const referenceGroup = ({ service, name }: Pick<DescribedCall, 'service' | 'name'>): Group =>
  groupByName.get(`${service}.${name}`) ?? groupByName.get(service) ?? 'installation'

/** The calls of a group, in the order in which the group names them. */
export const callsOf = (group: Group, calls: readonly DescribedCall[]): readonly DescribedCall[] => {
  const order = members[group]
  const rank = ({ service, name }: DescribedCall) => {
    const own = order.indexOf(`${service}.${name}`)
    return own === -1 ? order.indexOf(service) : own
  }
  return calls.filter(call => referenceGroup(call) === group).toSorted((a, b) => rank(a) - rank(b))
}

/** The tags of the OpenAPI document, which is in English. */
export const tagsBy =
  (translate: Translate): TagOf =>
  call => {
    const key = `docs:groups.${referenceGroup(call)}`
    return { name: translate('en', `${key}.name`), description: translate('en', `${key}.text`) }
  }
