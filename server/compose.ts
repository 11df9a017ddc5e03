import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Db } from '#server/platform/db/database.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { ApiRooms } from '#shared/api.ts'
import { maxContactFields } from '#shared/contacts/fields.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { type Language, languages } from '#shared/kernel/language.ts'
import { readPhone } from '#shared/kernel/phone-reader.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { fileIdOf } from '#shared/templates/files.ts'
import { createAudit } from './features/audit/audit.ts'
import { listSendCosts } from './features/bulk-sends/cost-report.ts'
import { createPace } from './features/bulk-sends/pace.ts'
import { createBulkSendRoom } from './features/bulk-sends/room.ts'
import { findUnanswered, hasSend } from './features/bulk-sends/unanswered.ts'
import { createFindSendOf } from './features/bulk-sends/visible.ts'
import { createErasures, sealedTargets } from './features/erasures/erasures.ts'
import { createMarks } from './features/erasures/marks.ts'
import { createContents } from './features/exports/contents.ts'
import { createExports } from './features/exports/exports.ts'
import { sealedHooks } from './features/flows/hooks.ts'
import { createFlowRoom } from './features/flows/room.ts'
import { keepsSecrets, sealedFlowSecrets } from './features/flows/secrets.ts'
import { createHistory } from './features/history/service.ts'
import { createNotifications } from './features/notifications/service.ts'
import { createOptOuts } from './features/opt-outs/room.ts'
import { sealedWebhookSecrets } from './features/outgoing-webhooks/deliveries.ts'
import { createOutgoingWebhooks, keepsWebhooks } from './features/outgoing-webhooks/room.ts'
import { hasOwnKeys, sealedPushKeys } from './features/push/keys.ts'
import { createPush } from './features/push/push.ts'
import { createReadyAnswers } from './features/ready-answers/service.ts'
import { createViewsFollow } from './features/saved-views/following.ts'
import { createSavedViews } from './features/saved-views/service.ts'
import { createStats } from './features/stats/service.ts'
import { createCallRecorder } from './identity/api-calls/recorder.ts'
import { createApiCalls } from './identity/api-calls/service.ts'
import { findKeys, listKeyNames } from './identity/auth/api-keys.ts'
import { createAuth } from './identity/auth/auth.ts'
import { createProfiles } from './identity/auth/profile.ts'
import { sealedSecondFactors } from './identity/auth/second-factor-codes.ts'
import { openSecrets } from './identity/auth/secret.ts'
import { createSessionList, createSiteSessions } from './identity/auth/session-list.ts'
import { createResolveTxt, type ResolveTxt } from './identity/auth/sso/domain.ts'
import { sealedClientSecrets } from './identity/auth/sso/provider-client.ts'
import { createConnectionNotices } from './identity/numbers/connection-notices.ts'
import { hasSealedKeys, sealedConnectionKeys } from './identity/numbers/keyring.ts'
import { createMessagingLimits } from './identity/numbers/messaging-limits.ts'
import { createReach } from './identity/numbers/reach.ts'
import { createNumbers } from './identity/numbers/service.ts'
import { createStanding } from './identity/numbers/standing.ts'
import { createBusinessHours } from './identity/orgs/business-hours.ts'
import { createDeletion } from './identity/orgs/deletion.ts'
import { createInvitations } from './identity/orgs/invitations.ts'
import { createInviterNotices } from './identity/orgs/inviter-notices.ts'
import { createMembers, findMemberRole, getOrganization } from './identity/orgs/members.ts'
import { createOwnerLetters } from './identity/orgs/owner-letters.ts'
import { createOwnership } from './identity/orgs/ownership.ts'
import { createRemoval } from './identity/orgs/removal.ts'
import { createRetention } from './identity/orgs/retention.ts'
import { createSecondFactorDemand } from './identity/orgs/second-factor-demand.ts'
import { createOrgs } from './identity/orgs/service.ts'
import { createOrgSettings } from './identity/orgs/settings.ts'
import { createSite } from './identity/site/service.ts'
import { createScopes } from './identity/visibility/scopes.ts'
import { createVisibility } from './identity/visibility/service.ts'
import { createSightListener } from './identity/visibility/sight-changes.ts'
import { createActionSending } from './messaging/actions/asked.ts'
import { createActionIds } from './messaging/actions/ids.ts'
import { createTaps } from './messaging/actions/taps.ts'
import { createAssignment, createAssignmentCleaning } from './messaging/assignment/assignment.ts'
import { createChoose, createGivingOutListener } from './messaging/assignment/giving-out.ts'
import { createActivityList } from './messaging/contacts/activity.ts'
import { createBlocking } from './messaging/contacts/blocking.ts'
import { changeContactAsBot, createContacts } from './messaging/contacts/contact-details.ts'
import { createContactList } from './messaging/contacts/contact-list.ts'
import { findPerson, putAside } from './messaging/contacts/erasing.ts'
import { readFilledOf } from './messaging/contacts/field-values.ts'
import { createContactFields, findValuesIn, listFields } from './messaging/contacts/fields.ts'
import { createGallery } from './messaging/contacts/gallery.ts'
import { createContactImports } from './messaging/contacts/importing/importing.ts'
import { createMerging } from './messaging/contacts/merging/merging.ts'
import { contactIdsOf, optInContacts, optOutContacts } from './messaging/contacts/opt-outs.ts'
import { takeOutsideNames } from './messaging/contacts/outside-names.ts'
import { createContactSaving } from './messaging/contacts/saving.ts'
import { requireChat, seesChat } from './messaging/conversations/chat.ts'
import { glanceAt } from './messaging/conversations/glance.ts'
import { ageSimulated } from './messaging/conversations/simulated-time.ts'
import { createDrafts, createDraftsOfLeavers } from './messaging/drafts/drafts.ts'
import { createDerive } from './messaging/intake/derive.ts'
import {
  countUntakenItems,
  countWebhooksPutAside,
  createJournal,
  oldestUnapplied,
  pruneJournal,
} from './messaging/intake/journal.ts'
import { createTakers } from './messaging/intake/takers.ts'
import { createLive, type Live, type LiveHub } from './messaging/live/hub.ts'
import { createLiveListener } from './messaging/live/listener.ts'
import { createLiveService } from './messaging/live/service.ts'
import { forgetBringersWhoLeft } from './messaging/media/bringers.ts'
import { createMediaFetcher } from './messaging/media/fetcher.ts'
import { createFileHead } from './messaging/media/file-head.ts'
import { createJsonFiles } from './messaging/media/json-file.ts'
import { createFileQuota } from './messaging/media/quota.ts'
import { createReceivedFiles } from './messaging/media/received.ts'
import { createUploads } from './messaging/media/uploads.ts'
import { applyAccepted } from './messaging/messages/accepted.ts'
import { applyDelivery, failMessages } from './messaging/messages/delivery.ts'
import { spanishFailure } from './messaging/messages/failure.ts'
import { emitChanges } from './messaging/messages/message-changes.ts'
import { createMessageInfo } from './messaging/messages/message-info.ts'
import { createOldMessages } from './messaging/messages/old-messages.ts'
import { findEarlyStatus } from './messaging/messages/statuses.ts'
import { applyItems } from './messaging/messages/webhook-items.ts'
import { createActivityLines } from './messaging/notes/activity-listener.ts'
import { createMentionNotices } from './messaging/notes/mention-notices.ts'
import { createNotes } from './messaging/notes/notes.ts'
import { createOutbox } from './messaging/outbox/outbox.ts'
import type { Spacing } from './messaging/outbox/spacing.ts'
import { handOver, listTagIds, readCustomers, readForBot, tagAsBot, turnForBot } from './messaging/people/bot-turns.ts'
import { colleagues } from './messaging/people/colleagues.ts'
import {
  createAssignmentNotices,
  createReactionNotices,
  createReplyNotices,
  createWaitingNotices,
} from './messaging/people/notices.ts'
import { createPresence } from './messaging/people/presence.ts'
import { createReleases } from './messaging/people/releases.ts'
import { createThreadControl } from './messaging/people/thread-control.ts'
import { createClosingNotices, createWindowClosing } from './messaging/people/window-closing.ts'
import { createAnsweredListener, createScheduledNotices } from './messaging/scheduled-messages/changes.ts'
import { createScheduledMessages } from './messaging/scheduled-messages/scheduled.ts'
import { createIndexing } from './messaging/search/indexing.ts'
import { sendAsBot } from './messaging/sending/as-bot.ts'
import { sendAutomaticText } from './messaging/sending/automatic.ts'
import { filledFor } from './messaging/sending/filled-text.ts'
import { nameContact } from './messaging/sending/first-message.ts'
import { undoReaction } from './messaging/sending/reacting.ts'
import { listOwnNumbers, sendAgainToMany, sendToMany, takeBack } from './messaging/sending/to-many.ts'
import { showTypingAsBot } from './messaging/sending/typing.ts'
import { createInbox } from './messaging/service.ts'
import { createTagService } from './messaging/tags/service.ts'
import { createTags } from './messaging/tags/tags.ts'
import { templateErrors } from './messaging/templates/errors.ts'
import { createTemplateFiles } from './messaging/templates/files.ts'
import { templateFreezing } from './messaging/templates/freezing.ts'
import { createTemplateNotices } from './messaging/templates/notices.ts'
import { templateSending } from './messaging/templates/sending.ts'
import { createTemplates } from './messaging/templates/service.ts'
import { createTemplateSync } from './messaging/templates/sync.ts'
import { createUnusedFiles } from './messaging/templates/unused-files.ts'
import { applyTemplateUpdates } from './messaging/templates/updates.ts'
import type { Config } from './platform/config/config.ts'
import { newId } from './platform/crypto/ids.ts'
import { resealColumn } from './platform/crypto/reseal-store.ts'
import { createKeyedHash, createVault, type SealedColumn } from './platform/crypto/secrets.ts'
import type { Databases } from './platform/db/db.ts'
import { systemActor } from './platform/events/actors.ts'
import { createDelivery } from './platform/events/delivery.ts'
import { createListeners, type TransactionListener } from './platform/events/listeners.ts'
import { createWrites, type Writes } from './platform/events/writes.ts'
import type { OrgCaller, Person } from './platform/http/actor.ts'
import { createIdempotency } from './platform/http/plugins/idempotency.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import type { Log } from './platform/log/log.ts'
import { snapshotLetter } from './platform/mail/letters.ts'
import { createMail } from './platform/mail/mail.ts'
import { createOutbound, createPublicFetch } from './platform/outbound/outbound.ts'
import { createSnapshots, type Taken } from './platform/snapshots/snapshots.ts'
import { openFolders } from './platform/storage/open.ts'
import type { FileStorages } from './platform/storage/storage.ts'
import { createServerI18n, type ServerI18n } from './platform/text/i18n.ts'
import { type Clock, isoNow, systemClock } from './platform/time/clock.ts'
import { createMaintenance } from './platform/work/maintenance.ts'
import { createAccessMemo, createMemo } from './platform/work/memo.ts'
import { createHttpDelivery } from './simulator/http-delivery.ts'
import { sealedAppSecrets } from './simulator/parts.ts'
import { createSandbox } from './simulator/sandbox.ts'
import { createCloudAccount } from './whatsapp/account.ts'
import { createProfileKeeper } from './whatsapp/business-profile.ts'
import { createCloudNumber } from './whatsapp/cloud.ts'
import { tokenRefusedCode } from './whatsapp/code-meanings.ts'
import { failureKey } from './whatsapp/errors.ts'
import { marketingChoiceField } from './whatsapp/marketing-choices.ts'
import { dialogOf, isSimulated, signupOf, simulatedAppOf } from './whatsapp/meta-app.ts'
import { outsideNameFields, readOutsideNames } from './whatsapp/outside-names.ts'
import { createRegistrar } from './whatsapp/registration.ts'
import { createStandingReader } from './whatsapp/standing.ts'
import { templateUpdateFields } from './whatsapp/template-updates.ts'

/** The world outside, held by the process or by a test. */
export interface World {
  readonly config: Config
  readonly databases: Databases
  readonly log: Log
  /** Where files are kept; absent: folders of `DATA_DIR`. */
  readonly storages?: FileStorages
  readonly clock?: Clock
  /** Where this server answers on this machine; known once it listens. */
  selfUrl(): string
  /** Brings a webhook of the simulator to this server; by HTTP unless a test gives another way. */
  deliver?(path: string, body: Buffer, headers: Record<string, string>): Promise<number>
  /** The way to addresses that people type, such as browsers' push services; absent: the network, public addresses only. */
  readonly outboundFetch?: typeof fetch
  /** Makes a backup and opens it again; absent: none are made at night. */
  readonly takeSnapshot?: (file: string, signal: AbortSignal) => Promise<Taken>
  /** The texts; absent: read now. */
  readonly i18n?: ServerI18n
  /** The DNS, which shows whose a domain is; absent: the machine's. */
  readonly resolveTxt?: ResolveTxt
  /** How what goes to many leaves one after another; absent: as it comes, for whoever holds the clock by hand. */
  readonly spacing?: Spacing
}

/** Each room answers whoever is admitted to it: a service that takes people only must say so in its contract. */
type RoomServices = { readonly [R in keyof ApiRooms]: ServiceOf<ApiRooms[R], OrgCaller> }

export type House = ReturnType<typeof compose>

/** Whether anything of the database only opens with the installation's secret. */
export const hasSealedRows = async (db: Db): Promise<boolean> =>
  (await hasSealedKeys(db)) || (await hasOwnKeys(db)) || (await keepsSecrets(db)) || (await keepsWebhooks(db))

/** Every column whose values the installation's secret opens, but for those that end within minutes. */
export const sealedColumns: readonly SealedColumn[] = [
  ...sealedConnectionKeys,
  sealedSecondFactors,
  sealedClientSecrets,
  sealedFlowSecrets,
  sealedHooks,
  sealedTargets,
  sealedAppSecrets,
  sealedPushKeys,
  sealedWebhookSecrets,
]

/** Whoever changes the people of an organization. */
const memberActor = (by: Person | null) =>
  by ? ({ kind: 'person', id: by.userId, name: by.name } as const) : systemActor('members')

/** The only place where parts meet: world → rooms. Nothing here runs until `start`. */
export function compose(world: World) {
  const { config, databases, log, selfUrl } = world
  const clock = world.clock ?? systemClock
  const ids = newId
  const { secret, previous: previousSecrets } = openSecrets({ config, log })
  const vault = createVault(secret, previousSecrets)
  const i18n = world.i18n ?? createServerI18n()
  const translate = (language: Language, key: string, params?: Record<string, string | number>) =>
    i18n.translator(language)(key, params)
  const base = { databases, clock, ids, log }
  const storages = world.storages ?? openFolders(config)

  const memo = createMemo({ version: databases.version })
  const accessMemo = createAccessMemo(databases)
  const scopes = createScopes({ databases })
  const live: LiveHub = createLive({ databases, clock, log, scopes })
  const listeners = createListeners()
  const writes: Writes = createWrites({ ...base, listeners, onStored: () => delivery.wake() })
  const jobs = createJobs({ ...base, writes })
  const delivery = createDelivery({ ...base, listeners, writes, lease: jobs.lease('events') })
  const releases = createReleases({ ...base, jobs, writes })
  const mail = createMail({ config, clock, log })
  const ownerLetters = createOwnerLetters({
    jobs,
    mail,
    publicUrl: config.publicUrl,
    translator: i18n.translator,
    languageOf: (orgId, db) => orgSettings.languageOf(orgId, db),
  })
  const orgSettings = createOrgSettings({
    ...base,
    writes,
    storage: storages.logos,
    letters: ownerLetters,
    mostFilesBytes: config.filesQuotaBytes,
  })
  const profiles = createProfiles({ ...base, storage: storages.pictures })
  const businessHours = createBusinessHours({ ...base, writes })
  const outbound = createOutbound({ fetch: world.outboundFetch ?? createPublicFetch() })
  const audit = createAudit({ ...base, translate })
  const callRecorder = createCallRecorder({ ...base, findKeys })
  const auth = createAuth({
    ...base,
    writes,
    memo: accessMemo,
    aroundAuthCall: audit.aroundAuthCall,
    onAccess: audit.recordAccess,
    onJoining: audit.recordJoining,
    outbound,
    resolveTxt: world.resolveTxt ?? createResolveTxt(),
    config,
    mail,
    i18n,
    secret,
    previousSecrets,
    vault,
    jobs,
    scopes,
    streams: live,
    languageOf: orgId => orgSettings.languageOf(orgId),
    removeOrganization: async (orgId, by) => {
      const org = await getOrganization(databases.read, orgId)
      const deletesAt = await deletion.request(orgId, memberActor(by))
      return org && { ...org, deletesAt }
    },
    listDeletions: orgIds => deletion.list(orgIds),
    onChanging: (orgId, change) => orgSettings.requireFreeChange(orgId, change),
    onChanged: (orgId, change, by) => orgSettings.announceChange(orgId, change, memberActor(by)),
    onLeaving: releases.expect,
    onLeft: (orgId, leaver, by) => releases.begin(orgId, leaver, memberActor(by)),
    onTeamMember: (orgId, { isIn, ...data }, by) =>
      writes.run(orgId, memberActor(by), async ({ emit }) =>
        emit({ type: isIn ? 'team.memberAdded' : 'team.memberRemoved', data }),
      ),
    onRoleChanged: (orgId, userId, by) =>
      writes.run(orgId, memberActor(by), async ({ emit }) => emit({ type: 'member.roleChanged', data: { userId } })),
    onJoined: (invitationId, newcomer) => invitations.announceAccepted(invitationId, newcomer),
  })
  const orgs = createOrgs({ databases, scopes, memo: accessMemo })
  const secondFactorDemand = createSecondFactorDemand({ ...base, writes, dropMember: live.dropMember })
  const push = createPush({
    ...base,
    scopes,
    jobs,
    translate,
    vault,
    outbound,
    subject: config.publicUrl.startsWith('https:') ? config.publicUrl : 'mailto:recado@localhost.localdomain',
  })
  const notifications = createNotifications({ ...base, writes, scopes, translate, glanceAt })
  const invitations = createInvitations({ ...base, writes })
  const idempotency = createIdempotency({ databases, clock, presence: jobs.presence })

  const deliver = world.deliver ?? createHttpDelivery(selfUrl)
  const sandbox = createSandbox({
    ...base,
    jobs,
    vault,
    deliver,
    graphUrl: () => `${config.publicUrl}/sandbox/graph`,
    app: simulatedAppOf(config),
    async tokenOf(orgId, connectionId) {
      const opened = await numbers.findByConnectionId(connectionId)
      return opened?.orgId === orgId ? opened.accessToken : undefined
    },
    agePast: (orgId, connectionId, ms) =>
      ageSimulated({ run: work => writes.run(orgId, systemActor('simulator'), work) }, connectionId, ms),
  })

  const graphOf = (kind: 'cloud' | 'sandbox') => ({
    baseUrl: kind === 'sandbox' || isSimulated(config) ? `${selfUrl()}/sandbox/graph` : config.graph.url,
    version: config.graph.version,
  })

  const readOrgPhone = async (orgId: string, typed: string) => readPhone(typed, await orgSettings.countryOf(orgId))
  const numbers = createNumbers({
    ...base,
    vault,
    writes,
    sandbox: config.sandbox ? sandbox : undefined,
    clientFor: facts => createCloudNumber({ ...facts, ...graphOf(facts.kind) }),
    registrarFor: facts => createRegistrar({ ...facts, ...graphOf(facts.kind) }),
    signup: signupOf(config.meta, () => graphOf('cloud')),
    readPhone: readOrgPhone,
    failQueued: (write, connectionId) => outbox.failQueued(write, connectionId),
    sayFailure: (code, language) => translate(language, failureKey(code)),
  })
  const messagingLimits = createMessagingLimits({ ...base, jobs, writes, numbers })
  const standing = createStanding({
    ...base,
    jobs,
    writes,
    numbers,
    translate,
    readerFor: opened => createStandingReader({ ...opened, ...graphOf(opened.kind) }),
    profileFor: opened => createProfileKeeper({ ...opened, ...graphOf(opened.kind) }),
    accountFor: opened => createCloudAccount({ ...opened, ...graphOf(opened.kind) }),
    findEarlyStatus,
    readPhone: readOrgPhone,
    reach: createReach({ publicUrl: config.publicUrl, outbound }),
    webhookAddressesOf: id =>
      [`/webhooks/whatsapp/${id}`, ...(config.meta.verifyToken ? ['/webhooks/whatsapp'] : [])].map(
        path => new URL(path, config.publicUrl).href,
      ),
    countOpened: orgId => bulkSends.countOpened(orgId),
    templatesOf: orgId => templateSync.stateOf(orgId),
    timeZoneOf: async orgId => (await orgSettings.timeZoneOf(orgId)) ?? defaultTimeZone,
    notifyRoles: notifications.notifyRoles,
  })
  const quota = createFileQuota({
    ...base,
    writes,
    notifyRoles: notifications.notifyRoles,
    mostBytes: config.filesQuotaBytes,
  })
  const files = createReceivedFiles({ ...base, storage: storages.media, quota })
  const uploads = createUploads({ ...base, jobs, storage: storages.media, numbers, applyDelivery })
  const bulkPace = createPace(base)
  const outbox = createOutbox({
    headerFiles: {
      idOf: fileIdOf,
      list: (orgId, ids) => templateFiles.list(orgId, ids),
      markSent: (...sent) => templateFiles.markSent(...sent),
    },
    ...{ ...base, jobs, writes, numbers, uploads, applyDelivery, applyAccepted, failMessages, undoReaction },
    spacing: world.spacing,
    perSecondToMany: async (...number) => (await bulkPace.of(...number)).perSecond,
  })
  const tags = createTags()
  const keyedHash = createKeyedHash(secret)
  const formerHashes = previousSecrets.map(createKeyedHash)
  const erasureMarks = createMarks(keyedHash, formerHashes)
  const actionIds = createActionIds(keyedHash, formerHashes)
  const actions = createActionSending({
    ids: actionIds,
    hasTag: tags.has,
    hasTeam: colleagues.hasTeam,
    isFlowLive: (db, orgId, id) => flows.isLive(db, orgId, id),
    hasWebhook: (db, orgId, name) => outgoingWebhooks.isActive(db, orgId, name),
  })
  const { findPhones: findKept, take: takeKept } = erasureMarks.keptMarks
  const giving = { clock, isOpenAt: businessHours.isOpenAt, scopes }
  const choosing = createChoose(giving)
  const inbox = createInbox({
    ...base,
    choosing,
    takeKept,
    tags,
    writes,
    outbox,
    actions,
    templates: templateSending,
    files,
    withJsonFile: createJsonFiles({ files, outbound }),
    catalogueIds: async (orgId, connectionId) => {
      const client = await numbers.clientOf(orgId, connectionId)
      // A token need not be allowed to read catalogues; WhatsApp still checks the message then.
      return client?.number.catalogueIds(AbortSignal.timeout(10_000)).catch(() => undefined)
    },
    translator: i18n.translator,
    callingCodeOf: orgId => orgSettings.callingCodeOf(orgId),
    timeZoneOf: orgId => orgSettings.timeZoneOf(orgId),
  })
  const blocking = createBlocking({ ...base, jobs, writes, numbers })
  const presence = createPresence({ databases, clock, writes })
  const drafts = createDrafts({ databases, clock, writes })
  const scheduledMessages = createScheduledMessages({
    ...base,
    takeKept,
    writes,
    jobs,
    outbox,
    actions,
    templates: templateSending,
    files,
    scopes,
    translator: i18n.translator,
    translate,
    findActing: auth.findActing,
    nameOf: orgSettings.nameOf,
  })
  const contactFields = createContactFields({ ...base, jobs, writes })
  const readyAnswers = createReadyAnswers({ ...base, writes, files, storage: storages.media })
  const merging = createMerging({ ...base, writes })
  const contactImports = createContactImports({
    ...base,
    takeKept,
    jobs,
    writes,
    tags,
    countryOf: orgId => orgSettings.countryOf(orgId),
  })
  const media = createMediaFetcher({
    ...base,
    ...{ jobs, writes, numbers, emitChanges, outbound, quota },
    storage: storages.media,
  })
  const removal = createRemoval({
    ...base,
    jobs,
    forgetNumbers: () => numbers.forget(),
    removeFiles: orgId => media.removeAll(orgId),
  })
  const retention = createRetention({
    ...base,
    jobs,
    writes,
    oldMessages: createOldMessages({ ...base, writes, removeFile: path => storages.media.remove(path) }),
  })
  const exports = createExports({
    ...base,
    vault,
    contents: createContents({ databases, translate, readFile: path => storages.media.read(path) }),
  })
  const deletion = createDeletion({ ...base, jobs, writes, letters: ownerLetters, hide: orgId => removal.hide(orgId) })
  const journal = createJournal({ databases, clock })
  const templateFiles = createTemplateFiles({ ...base, storage: storages.media, received: files })
  const unusedFiles = createUnusedFiles({ ...base, writes, received: files })
  const templateParts = {
    ...base,
    jobs,
    writes,
    translate,
    files: templateFiles,
    accountOf: async (orgId: string) => {
      const client = await numbers.clientOf(orgId)
      if (!client) return undefined
      const opened = await numbers.findByConnectionId(client.connection.id)
      if (!opened) throw templateErrors.TOKEN_REFUSED({ params: { code: tokenRefusedCode } })
      return { account: createCloudAccount({ ...opened, ...graphOf(opened.kind) }), wabaId: opened.wabaId }
    },
  }
  const templateSync = createTemplateSync(templateParts)
  const optOuts = createOptOuts({
    ...base,
    writes,
    translate,
    languageOf: orgSettings.languageOf,
    optOut: optOutContacts,
    optIn: optInContacts,
    async answer(write, { conversationId, text }) {
      const filled = await filledFor(write, { conversationId, text }, orgSettings.nameOf)
      await sendAutomaticText(write, { conversationId, text: filled, part: 'optOuts' }, { clock, ids, outbox })
    },
    contactIdsOf: (write, senders) => contactIdsOf(write, senders, { clock, ids, takeKept }),
    isoNow: () => isoNow(clock),
  })
  const inboxParts = { clock, ids, outbox, tags, choosing }
  const outgoingWebhooks = createOutgoingWebhooks({ ...base, ...notifications, vault, jobs, writes, outbound })
  const taps = createTaps({
    ...{ ...inboxParts, actionIds, translate, languageOf: orgSettings.languageOf },
    callWebhook: outgoingWebhooks.send,
  })
  const flows = createFlowRoom({
    ...base,
    jobs,
    vault,
    outbound,
    writes,
    tags,
    colleagues,
    isOpen: businessHours.isOpenAt,
    openingOf: businessHours.openingOf,
    timeZoneOf: async (orgId, db) => (await orgSettings.timeZoneOf(orgId, db)) ?? defaultTimeZone,
    nameOf: orgSettings.nameOf,
    listLabelOf: async (orgId, db) => translate((await orgSettings.languageOf(orgId, db)) ?? 'es', 'flows:listLabel'),
    templates: templateFreezing,
    sayStopped: async (orgId, { name, reason }, db) => {
      const language = (await orgSettings.languageOf(orgId, db)) ?? 'es'
      return translate(language, 'flows:stopped', { name, reason: translate(language, `flows:reason.${reason}`) })
    },
    sayTested: async (orgId, test, db) =>
      translate((await orgSettings.languageOf(orgId, db)) ?? 'es', 'flows:tested', test),
    numbersOf: async (db, orgId) =>
      (await listOwnNumbers(db, orgId))
        .filter(({ isConnected }) => isConnected)
        .map(({ phone, kind }) => ({ phone, displayPhone: displayPhone(phone), isSimulated: kind === 'sandbox' })),
    hasSend,
    takeFlowOfTap: taps.takeFlow,
    unansweredOf: findUnanswered,
    optOutWordsIn: optOuts.wordsIn,
    tagIdsOf: listTagIds,
    async requireChat(db, viewer, address) {
      const { id: conversationId, contact_id: contactId } = await requireChat(db, viewer, address)
      return { conversationId, contactId }
    },
    publicUrl: config.publicUrl,
    readPhone: async (orgId, typed) => readPhone(typed, await orgSettings.countryOf(orgId)),
    nameContact: (write, to) => nameContact(write, to, { clock, ids, takeKept }),
    inbox: {
      read: (db, orgId, ids) => readForBot(db, orgId, ids, inboxParts),
      whoAre: readCustomers,
      fieldsOf: readFilledOf,
      send: (write, speeches) => sendAsBot(write, speeches, inboxParts),
      showTyping: (write, id) => showTypingAsBot(write, id, { clock, outbox }),
      answer: (write, to) => sendAutomaticText(write, { ...to, part: 'flows' }, { clock, ids, outbox }),
      turn: turnForBot,
      handOver: (write, id, to) => handOver(write, id, to, inboxParts),
      setTag: (write, id, change) => tagAsBot(write, id, change, inboxParts),
      setContact: changeContactAsBot,
      takeBack: (write, messageIds) => takeBack(write, messageIds, { clock, ids, outbox }),
    },
  })
  /** Who owns what webhooks say; what is in no list here is kept. */
  const takers = createTakers([
    {
      room: 'inbox',
      kinds: ['message', 'echo', 'identity', 'handover', 'groupChange', 'reaction', 'edit', 'revoke', 'status'],
      readAhead: (orgId, items) =>
        flows.readAhead(
          orgId,
          items.map(item => (item.kind === 'message' && !item.past ? (item.body.text ?? undefined) : undefined)),
        ),
      async apply(write, items) {
        const { mediaIds } = await applyItems(write, items, {
          clock,
          ids,
          takeKept,
          bots: flows.incoming,
          choosing,
          actionOf: taps.actionOf,
        })
        await media.enqueue(write, mediaIds)
      },
    },
    {
      room: 'contacts',
      fields: outsideNameFields,
      apply: (write, items) => takeOutsideNames(write, items.flatMap(readOutsideNames), { clock, ids, takeKept }),
    },
    {
      room: 'templates',
      fields: templateUpdateFields,
      apply: (write, items) => applyTemplateUpdates(write, items, { clock, askForSync: templateSync.askFor }),
    },
    messagingLimits.taker,
    standing.taker,
    { room: 'opt-outs', fields: [marketingChoiceField], apply: optOuts.applyChoices },
  ])
  const bulkSends = createBulkSendRoom({
    ...base,
    jobs,
    writes,
    scopes,
    tags,
    translate,
    notifications,
    templates: templateFreezing,
    pace: bulkPace,
    room: outbox.roomToMany,
    prepareTemplate: templateSending.prepare,
    headOf: createFileHead(outbound),
    seesChat,
    findKept,
    countryOf: orgId => orgSettings.countryOf(orgId),
    timeZoneOf: async (orgId, db) => (await orgSettings.timeZoneOf(orgId, db)) ?? defaultTimeZone,
    contactFields: { list: (db, orgId) => listFields(db, orgId, maxContactFields), findValuesIn },
    senders: { listNumbers: listOwnNumbers, findRole: findMemberRole },
    inbox: {
      sendToMany: (write, to) => sendToMany(write, to, { clock, ids, takeKept, outbox }),
      sendAgainToMany: (write, messageIds) => sendAgainToMany(write, messageIds, { clock, ids, outbox }),
      takeBack: (write, messageIds) => takeBack(write, messageIds, { clock, ids, outbox }),
    },
  })
  const erasures = createErasures({
    ...base,
    jobs,
    writes,
    vault,
    marks: erasureMarks,
    findPerson,
    putAside,
    takeBack: (write, messageIds) => takeBack(write, messageIds, { clock, ids, outbox }),
    removeFile: path => storages.media.remove(path),
    forgetFiles: unusedFiles.forget,
    forgetRecipients: bulkSends.forget,
  })
  const history = createHistory({ ...base, writes, translate, describeSends: bulkSends.describe })
  const indexing = createIndexing({ ...base, jobs })
  const derive = createDerive({ ...base, writes, lease: jobs.lease('journal'), journal, takers, numbers })
  // Each hears what those before it derived; open tabs are told of all of it.
  // Before those who tell of it.
  listeners.inTransaction(taps.listener)
  listeners.inTransaction(createGivingOutListener(choosing))
  listeners.inTransaction(createInviterNotices(notifications))
  listeners.inTransaction(createConnectionNotices(notifications))
  listeners.inTransaction(createReplyNotices({ ...notifications, clock }))
  listeners.inTransaction(createReactionNotices({ ...notifications, clock }))
  listeners.inTransaction(createAssignmentNotices(notifications))
  listeners.inTransaction(createMentionNotices(notifications))
  listeners.inTransaction(createWaitingNotices({ ...notifications, scopes }))
  listeners.inTransaction(createWindowClosing({ ...base, jobs, writes }).listener)
  listeners.inTransaction(createClosingNotices({ ...notifications, scopes }))
  listeners.inTransaction(createAnsweredListener())
  listeners.inTransaction(createScheduledNotices(notifications))
  listeners.inTransaction(createDraftsOfLeavers())
  listeners.inTransaction(createAssignmentCleaning())
  listeners.inTransaction(createViewsFollow())
  listeners.inTransaction(createTemplateNotices(notifications))
  listeners.inTransaction(outgoingWebhooks.listener)
  listeners.inTransaction(optOuts.keywords)
  listeners.inTransaction(optOuts.refusals)
  listeners.inTransaction(createActivityLines(base))
  listeners.inTransaction(createThreadControl({ log, clientOf: numbers.clientOf }))
  for (const listener of bulkSends.listeners) listeners.inTransaction(listener as TransactionListener)
  listeners.inTransaction(history.listener)
  for (const listener of flows.listeners) listeners.inTransaction(listener as TransactionListener)
  listeners.inTransaction(push.listener)
  listeners.inTransaction(media.listener)
  listeners.inTransaction(templateSync.listener)
  listeners.inTransaction(messagingLimits.listener)
  listeners.inTransaction(standing.listener)
  listeners.inTransaction(indexing.listener)
  listeners.inTransaction(createSightListener())
  listeners.inTransaction(
    createLiveListener(live, {
      failure: spanishFailure,
      notice: ({ key, params }) => ({
        title: translate('es', `notices:${key}.title`, params),
        message: translate('es', `notices:${key}.message`, params),
      }),
    }),
  )
  const snapshots = createSnapshots({
    ...base,
    jobs,
    mail,
    folder: join(config.dataDir, 'snapshots'),
    keep: world.takeSnapshot ? config.snapshots : 0,
    take: world.takeSnapshot ?? (async () => ({ fault: 'failed', reason: 'nobody makes any here' })),
    listAdmins: auth.listSiteAdmins,
    letterOf: (to, failure, lastGood) =>
      snapshotLetter(languages.map(i18n.translator), { to, failure, lastGood, site: config.publicUrl }),
  })
  const maintenance = createMaintenance({
    ...base,
    jobs,
    chores: [
      { name: 'webhook journal', run: now => pruneJournal(databases, now) },
      { name: 'live events', run: now => live.prune(now) },
      { name: 'domain events', run: now => delivery.prune(now) },
      { name: 'notifications', run: now => notifications.prune(now) },
      { name: 'jobs', run: () => jobs.prune() },
      { name: 'calls of API keys', run: now => callRecorder.prune(now) },
      { name: 'audit log', run: now => audit.prune(now) },
      { name: 'sign-in', run: now => auth.prune(now) },
      { name: 'logos', run: now => orgSettings.pruneLogos(now) },
      { name: 'pictures of people', run: now => profiles.prunePictures(now) },
      { name: 'files of calls that died', run: () => files.prune() },
      { name: 'files of headers that nothing uses', run: now => unusedFiles.prune(now) },
      { name: 'who brought files, where they are gone', run: () => forgetBringersWhoLeft(databases) },
      { name: 'copies of files at WhatsApp', run: () => uploads.prune() },
      { name: 'sessions of flows', run: now => flows.prune(now) },
      { name: 'deliveries of webhooks', run: now => outgoingWebhooks.prune(now) },
      { name: 'who has chats open', run: now => presence.prune(now) },
      { name: 'drafts', run: now => drafts.prune(now) },
      { name: 'merges that cannot be undone', run: () => merging.prune() },
      { name: 'simulator', run: now => sandbox.prune(now) },
      { name: 'idempotency keys', run: now => idempotency.prune(now) },
      { name: 'backups of past nights', run: now => snapshots.prune(now) },
    ],
  })

  let isEmpty = true
  /** What everybody may know about this installation; once somebody is in, it never is empty again. */
  /** After a change of the secret; what another process seals meanwhile is sealed by today's. */
  const reseal = async () => {
    if (!previousSecrets.length) return
    try {
      for (const column of sealedColumns) {
        const { resealed, unreadable } = await resealColumn(databases, vault, column)
        const { table, column: name } = column
        if (resealed) log.info({ table, column: name, resealed }, 'values were sealed again under the new secret')
        if (unreadable) log.warn({ table, column: name, unreadable }, 'values open by no secret that is known')
      }
    } catch (error) {
      log.error({ err: error }, 'values could not be sealed again; the next start goes on')
    }
  }

  const site = async () => {
    if (isEmpty) isEmpty = !(await auth.hasAnyone())
    return { empty: isEmpty, signup: config.signup, sandbox: config.sandbox, facebook: dialogOf(config) }
  }

  return {
    site,
    config,
    databases,
    clock,
    log,
    i18n,
    translate,
    auth,
    orgs,
    orgSettings,
    profiles,
    exports,
    businessHours,
    scopes,
    live: live as Live,
    listeners,
    writes,
    delivery,
    jobs,
    numbers,
    inbox,
    media,
    files,
    journal,
    derive,
    indexing,
    outbox,
    sandbox,
    push,
    removal,
    audit,
    callRecorder,
    maintenance,
    snapshots,
    templateFiles,
    unusedFiles,
    answers: readyAnswers,
    templateSync,
    flowHooks: flows.hooks,
    standing,
    once: idempotency.once,
    /** Answers of reads that many ask for at once. */
    memo,
    /** Free on the disk of the database; where that is another server's, of files and mail. */
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(config.postgres ? config.dataDir : dirname(config.databasePath))
      return bavail * bsize
    },
    /** When the oldest row of each kind fell due that still waits; undefined: none does. */
    oldestWaiting: async () => ({
      journal: await oldestUnapplied(databases.read),
      events: await delivery.oldest(),
      ...Object.fromEntries((await jobs.health()).map(({ kind, oldestDueAt }) => [kind, oldestDueAt ?? undefined])),
    }),
    /** What a clock that ran ahead has left. */
    farAhead: () => jobs.farAhead(),
    /** How the nightly backups go; undefined: none are made. */
    snapshotState: async () => {
      const state = await snapshots.state()
      return (
        state && {
          lastGoodAt: state.lastGood?.beganAt ?? null,
          failure: state.last?.failure ?? null,
        }
      )
    },
    /** What is under way and what was put aside, by kind, by name of a webhook's part, by listener. */
    workCounts: async () => ({
      jobs: Object.fromEntries((await jobs.health()).map(({ kind, oldestDueAt: _at, ...counts }) => [kind, counts])),
      webhooksPutAside: { ...(await countWebhooksPutAside(databases.read)) },
      untakenWebhooks: Object.fromEntries(await countUntakenItems(databases.read)),
      parkedEvents: Object.fromEntries(await delivery.parked()),
      failedListeners: Object.fromEntries(writes.failures()),
    }),
    services: {
      apiCalls: createApiCalls({ databases, translate, recorder: callRecorder, listKeyNames }),
      assignment: createAssignment({ ...giving, databases, writes }),
      audit: audit.service,
      bulkDrafts: bulkSends.drafts,
      bulkSends: bulkSends.service,
      history: history.service,
      orgs,
      members: createMembers({ databases, translate }),
      orgExport: exports.service,
      orgOwnership: createOwnership({ writes, letters: ownerLetters, deletion }),
      orgSettings: { ...orgSettings, ...businessHours, ...secondFactorDemand },
      retention,
      flows: flows.service,
      flowSecrets: flows.secrets,
      flowSettings: flows.settings,
      flowReplays: flows.replays,
      flowTests: flows.tests,
      flowHooks: flows.hooks.service,
      flowPresence: flows.presence,
      optOuts: optOuts.service,
      invitations,
      numbers,
      numberStanding: standing.service,
      inbox,
      contacts: {
        ...createContacts({ databases, writes }),
        ...createContactSaving({ clock, ids, takeKept, writes, readPhone: readOrgPhone }),
        ...createGallery(databases),
        ...createActivityList(databases),
        ...blocking,
        ...createContactList({ databases, translate, callingCodeOf: orgId => orgSettings.callingCodeOf(orgId) }),
      },
      contactFields,
      contactImports,
      contactMerges: merging.service,
      erasures,
      live: createLiveService({ databases }),
      media: media.service,
      fileUse: quota.service,
      notes: createNotes({ ...base, writes, scopes }),
      notifications,
      readyAnswers: readyAnswers.service,
      outgoingWebhooks: outgoingWebhooks.service,
      savedViews: createSavedViews({ ...base, writes }),
      scheduledMessages,
      sandbox: sandbox.service,
      sessions: createSessionList({ databases, clock, streams: live, onAccess: audit.recordAccess }),
      passwords: auth.passwords,
      drafts: drafts.service,
      presence: presence.service,
      messageInfo: createMessageInfo({
        databases,
        translator: i18n.translator,
        outbox,
        findBulkSend: createFindSendOf(scopes),
      }),
      profile: profiles.service,
      secondFactor: auth.secondFactor,
      emailChange: auth.emailChange,
      push: push.service,
      site: createSite({
        databases,
        clock,
        sessions: createSiteSessions({ databases, clock, streams: live, onSiteAct: audit.recordSiteAct }),
        listEntries: audit.listSiteEntries,
      }),
      sso: auth.sso,
      stats: createStats({ databases, clock, listSendCosts, translate }),
      tags: createTagService({ ...base, writes, scopes }),
      templates: createTemplates({ ...templateParts, sync: templateSync }),
      visibility: createVisibility({ ...base, writes, tags }),
    } satisfies RoomServices,
    /** Picks up whatever an earlier process left, then keeps going. Call it once the server listens. */
    start() {
      callRecorder.start()
      delivery.start()
      jobs.start()
      derive.start()
      push.start()
      void removal.start()
      void maintenance.start()
      void snapshots.start()
      void indexing.start()
      void reseal()
    },
    /** Seals again what a secret of before has sealed. */
    reseal,
    /** Finishes what is in flight; the rest are rows and go on next time. */
    async stop() {
      sandbox.stop()
      await Promise.all([jobs.stop(), derive.stop(), delivery.stop(), callRecorder.stop()])
    },
  }
}
