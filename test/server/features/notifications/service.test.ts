import t, { type Test } from 'tap'
import { createNotifications, type NotificationsParts } from '#server/features/notifications/service.ts'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { summarize } from '#server/messaging/conversations/shown/summary.ts'
import { createLive } from '#server/messaging/live/hub.ts'
import { createLiveListener, type EventWords } from '#server/messaging/live/listener.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { keptNotifications, notificationsPerPage } from '#shared/notifications/api.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { keptWrites } from '#test/helpers/writes.ts'

const i18n = createServerI18n()
/** A notification with just this text. */
const plain = (message: string) => ({ key: 'plain', params: { message } })
const translate: NotificationsParts['translate'] = (language, key, params) => {
  if (!key.startsWith('notices:plain.')) return i18n.translator(language)(key, params)
  return key.endsWith('.title') ? 'Nuevo mensaje' : String(params?.message)
}
const words: EventWords = {
  failure: code => ({ code, message: code }),
  notice: ({ key, params }) => ({
    title: translate('es', `notices:${key}.title`, params),
    message: translate('es', `notices:${key}.message`, params),
  }),
}

const aStage = async (t: Test) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock()
  const live = createLive({ scopes: createScopes({ databases }), databases, clock, log: keptLog() })
  t.teardown(() => live.close())
  const writes = keptWrites({ databases, clock, words })
  writes.listeners.inTransaction(createLiveListener(live, words))
  /** The members who get a push message. */
  const pushed = () =>
    writes.happened.flatMap(({ type, data }) => (type === 'notification.raised' && data.push ? [data.userId] : []))
  const notifications = createNotifications({
    scopes: createScopes({ databases }),
    databases,
    clock,
    ids: newId,
    writes,
    translate,
    summarize,
  })
  const ana = await aMember({ databases, role: 'owner' })
  const beto = await aMember({ databases, org: ana.org, role: 'admin' })
  const notify = (
    orgId: string,
    userIds: string[],
    message = 'Lucía espera',
    redirect: string | null = '/5491155554444',
  ) => writes.tell(orgId, write => notifications.notify(write, { userIds, words: plain(message), redirect }))
  return { databases, clock, live, writes, notifications, ana, beto, notify, pushed }
}

t.test('each member gets a notification and an event of their own, in the language of the contract', async t => {
  const { notifications, ana, beto, notify } = await aStage(t)
  const drafts = await notify(ana.org.id, [ana.user.id, beto.user.id, ana.user.id])
  t.equal(drafts.length, 2)
  const [mine] = await notifications.list(ana.member, { query: {} })
  t.same(drafts[0], {
    type: 'notify',
    audience: [ana.user.id],
    conversationId: null,
    data: {
      id: `notify-${mine?.id}`,
      title: 'Nuevo mensaje',
      message: 'Lucía espera',
      viewed: false,
      redirect: '/5491155554444',
      kind: 'plain',
    },
  })
  t.same(mine, {
    id: mine?.id,
    title: 'Nuevo mensaje',
    message: 'Lucía espera',
    viewed: false,
    createdAt: '2026-11-20T13:00:00.000Z',
    redirect: '/5491155554444',
  })
  const [theirs] = await notifications.list(beto.member, { query: {} })
  t.not(theirs?.id, mine?.id)
  const [nowhere] = await notify(ana.org.id, [ana.user.id], 'x', null)
  t.notHas(nowhere?.data, { redirect: String })
  t.same(await notify(ana.org.id, []), [])
})

t.test('reading marks a notification once, by either form of its id, and cannot be undone', async t => {
  const { notifications, clock, databases, ana, notify } = await aStage(t)
  const drafts = [...(await notify(ana.org.id, [ana.user.id])), ...(await notify(ana.org.id, [ana.user.id]))]
  const [first, second] = drafts.map(draft => (draft.data as { id: string }).id)
  const viewed = await notifications.markViewed(ana.member, { query: { id: first as string } })
  t.equal(viewed.viewed, true)
  const at = await databases.read
    .selectFrom('notification')
    .select('viewed_at')
    .where('id', '=', viewed.id)
    .executeTakeFirst()
  clock.advance(60_000)
  t.same(await notifications.markViewed(ana.member, { query: { id: viewed.id } }), viewed)
  t.same(
    await databases.read.selectFrom('notification').select('viewed_at').where('id', '=', viewed.id).executeTakeFirst(),
    at,
  )
  const list = await notifications.list(ana.member, { query: {} })
  t.same(
    list.map(one => [`notify-${one.id}`, one.viewed]).sort(),
    [
      [first, true],
      [second, false],
    ].sort(),
  )
})

t.test(
  'another person’s notification is not found, not even a colleague’s or one’s own in another organization',
  async t => {
    const { notifications, databases, ana, beto, notify } = await aStage(t)
    const stranger = await aMember({ databases, role: 'owner' })
    const [draft] = await notify(ana.org.id, [ana.user.id])
    const id = (draft as { data: { id: string } }).data.id
    for (const caller of [beto.member, stranger.member, { ...ana.member, orgId: stranger.org.id }]) {
      await t.rejects(async () => notifications.markViewed(caller, { query: { id } }), {
        code: 'NOTIFICATIONS_NOT_FOUND',
        status: 404,
      })
      t.same(await notifications.list(caller, { query: {} }), [])
    }
    t.equal((await notifications.list(ana.member, { query: {} }))[0]?.viewed, false)
  },
)

t.test(
  'the list is paged by the last id, newest first, also within one instant and after that one is deleted',
  async t => {
    const { notifications, clock, databases, ana, notify } = await aStage(t)
    const total = notificationsPerPage * 2 + 5
    for (let i = 0; i < total; i += 1) {
      await notify(ana.org.id, [ana.user.id], `m${i}`)
      if (i % 3) clock.advance(1000)
    }
    const pages: string[][] = []
    let before: string | undefined
    do {
      const page = await notifications.list(ana.member, { query: before ? { before: `notify-${before}` } : {} })
      pages.push(page.map(one => one.id))
      before = page.at(-1)?.id
      if (before) await databases.write.deleteFrom('notification').where('id', '=', before).execute()
    } while (before)
    t.same(
      pages.map(page => page.length),
      [notificationsPerPage, notificationsPerPage, 5, 0],
    )
    const all = pages.flat()
    t.same(all, [...all].sort().reverse())
    t.equal(new Set(all).size, total)
  },
)

t.test('unread notifications are counted up to "more than ninety-nine"', async t => {
  const { notifications, ana, notify } = await aStage(t)
  t.same(await notifications.summary(ana.member, {}), { unread: 0, any: false })
  const [draft] = await notify(ana.org.id, [ana.user.id])
  t.same(await notifications.summary(ana.member, {}), { unread: 1, any: true })
  await notifications.markViewed(ana.member, { query: { id: (draft as { data: { id: string } }).data.id } })
  t.same(await notifications.summary(ana.member, {}), { unread: 0, any: true })
  for (let i = 0; i < 120; i += 1) await notify(ana.org.id, [ana.user.id])
  t.same(await notifications.summary(ana.member, {}), { unread: 100, any: true })
})

t.test('marking all stops at the newest one seen, affects nobody else, and informs the other tabs once', async t => {
  const { notifications, clock, databases, ana, beto, notify } = await aStage(t)
  for (let i = 0; i < 3; i += 1) {
    await notify(ana.org.id, [ana.user.id, beto.user.id], `m${i}`)
    clock.advance(1000)
  }
  const [seen] = await notifications.list(ana.member, { query: {} })
  await notify(ana.org.id, [ana.user.id], 'came meanwhile')
  const upTo = seen?.id as string
  await databases.write.deleteFrom('event').execute()
  t.same(await notifications.markAllViewed(ana.member, { body: { upTo } }), { unread: 1, any: true })
  t.same(await notifications.summary(beto.member, {}), { unread: 3, any: true })
  const events = await databases.read.selectFrom('event').select(['type', 'data', 'audience']).execute()
  t.equal(events.length, 1)
  t.match(JSON.parse(events[0]?.data as string), { id: `notify-${upTo}`, viewed: true })
  t.same(await notifications.markAllViewed(ana.member, { body: { upTo } }), { unread: 1, any: true })
  t.equal((await databases.read.selectFrom('event').select('seq').execute()).length, 1)
})

t.test('reading one informs the same person’s other tabs, once', async t => {
  const { notifications, databases, ana, notify } = await aStage(t)
  const [draft] = await notify(ana.org.id, [ana.user.id])
  const { id } = (draft as { data: { id: string } }).data
  await databases.write.deleteFrom('event').execute()
  await notifications.markViewed(ana.member, { query: { id } })
  await notifications.markViewed(ana.member, { query: { id } })
  const events = await databases.read.selectFrom('event').select(['type', 'data', 'audience']).execute()
  t.same(
    events.map(event => [event.type, JSON.parse(event.data).viewed, JSON.parse(event.audience as string)]),
    [['notify', true, [ana.user.id]]],
  )
})

t.test('settings belong to a person, and mute to one organization', async t => {
  const { notifications, databases, writes, ana, beto } = await aStage(t)
  const other = await aMember({ databases })
  const anaElsewhere = { ...ana.member, orgId: other.org.id }
  const standard = {
    toast: true,
    sound: true,
    desktop: true,
    push: true,
    quiet: null,
    muted: false,
    mutedConversations: [],
  }
  t.same(await notifications.getSettings(ana.member, {}), standard)
  const quiet = { from: '22:00', to: '07:00', timeZone: 'America/Montevideo' }
  const changed = { ...standard, sound: false, quiet, muted: true }
  t.same(await notifications.changeSettings(ana.member, { body: { sound: false, quiet, muted: true } }), changed)
  t.match(writes.published, [{ type: 'notificationSettings', audience: [ana.user.id] }], 'their other pages hear of it')
  t.same(await notifications.getSettings(ana.member, {}), changed)
  t.same(await notifications.getSettings(anaElsewhere, {}), { ...changed, muted: false })
  t.same(await notifications.getSettings(beto.member, {}), standard)
  t.same(await notifications.changeSettings(ana.member, { body: { quiet: null, muted: false } }), {
    ...standard,
    sound: false,
  })
  for (const wrong of [
    { ...quiet, timeZone: 'Mars/Olympus' },
    { ...quiet, to: quiet.from },
  ])
    await t.rejects(async () => notifications.changeSettings(ana.member, { body: { quiet: wrong } }), {
      code: 'APP_VALIDATION',
    })
})

t.test(
  'push goes only to members who want it at that place and time; the notification is listed in any case',
  async t => {
    const { notifications, clock, ana, beto, notify, pushed } = await aStage(t)
    const both = [ana.user.id, beto.user.id]
    const reached = async () => {
      const before = pushed().length
      await notify(ana.org.id, both)
      return pushed().slice(before)
    }
    t.same(await reached(), both)
    await notifications.changeSettings(ana.member, { body: { push: false } })
    t.same(await reached(), [beto.user.id])
    await notifications.changeSettings(ana.member, { body: { push: true, muted: true } })
    t.same(await reached(), [beto.user.id])
    // 13:00 UTC is 10:00 in Montevideo.
    const quiet = { from: '09:00', to: '11:00', timeZone: 'America/Montevideo' }
    await notifications.changeSettings(ana.member, { body: { muted: false, quiet } })
    t.same(await reached(), [beto.user.id])
    clock.set('2026-11-20T14:00:00.000Z')
    t.same(await reached(), both)
    t.same(await notifications.summary(ana.member, {}), { unread: 5, any: true })
  },
)

t.test('a notification for roles reaches the members who have them', async t => {
  const { notifications, databases, writes, ana, beto } = await aStage(t)
  await aMember({ databases, org: ana.org, role: 'member' })
  await aMember({ databases, org: ana.org, role: 'member,admin' })
  const carla = await aMember({ databases, org: ana.org, role: 'admin' })
  await aMember({ databases, role: 'owner' })
  const drafts = await writes.tell(ana.org.id, write =>
    notifications.notifyRoles(write, ['owner', 'admin'], { words: plain('Se desconectó') }),
  )
  t.same(drafts.flatMap(draft => draft.audience ?? []).sort(), [ana.user.id, beto.user.id, carla.user.id].sort())
})

t.test('notifications older than ninety days are deleted', async t => {
  const { notifications, clock, ana, notify } = await aStage(t)
  await notify(ana.org.id, [ana.user.id], 'old')
  clock.advance(91 * 24 * 60 * 60 * 1000)
  await notify(ana.org.id, [ana.user.id], 'new')
  t.equal(await notifications.prune(), 1)
  t.same(
    (await notifications.list(ana.member, { query: {} })).map(one => one.message),
    ['new'],
  )
})

t.test('each person keeps the newest thousand', async t => {
  const { notifications, clock, databases, writes, ana, beto, notify } = await aStage(t)
  await notify(ana.org.id, [beto.user.id])
  const many = keptNotifications.perPerson + 30
  await writes.tell(ana.org.id, async write => {
    for (let i = 0; i < many; i += 1) {
      await notifications.notify(write, { userIds: [ana.user.id], words: plain(`m${i}`) })
      clock.advance(10)
    }
  })
  t.equal(await notifications.prune(), 30)
  t.equal(await notifications.prune(), 0)
  const rows = await databases.read
    .selectFrom('notification')
    .select('words')
    .where('user_id', '=', ana.user.id)
    .orderBy('id')
    .execute()
  t.equal(rows.length, keptNotifications.perPerson)
  t.match(rows[0]?.words, /"m30"/)
  t.equal((await notifications.list(beto.member, { query: {} })).length, 1)
})

t.test('an English reader gets English texts, and text without a translation as written', async t => {
  const { notifications, databases, writes, ana } = await aStage(t)
  const english = { ...ana.member, language: 'en' as const }
  await writes.tell(ana.org.id, async write => {
    const userIds = [ana.user.id]
    await notifications.notify(write, { userIds, words: { key: 'waiting', params: { name: 'Lucía <b>' } } })
    await notifications.notify(write, { userIds, words: { key: 'waitingMore', params: { count: 3 } } })
  })
  await databases.write
    .insertInto('notification')
    .values({
      id: 'old',
      place: '',
      org_id: ana.org.id,
      user_id: ana.user.id,
      old_title: 'Nuevo mensaje de WhatsApp',
      old_message: 'sin otras palabras',
      words: null,
      redirect: null,
      created_at: '2026-11-20T12:00:00.000Z',
      viewed_at: null,
    })
    .execute()
  const noticesOf = async (member: typeof english | typeof ana.member) =>
    (await notifications.list(member, { query: {} })).map(one => `${one.title}: ${one.message}`).sort()
  t.same(await noticesOf(english), [
    'New WhatsApp message: 3 more conversations are waiting for a reply',
    'New WhatsApp message: Lucía <b> is waiting for a reply',
    'Nuevo mensaje de WhatsApp: sin otras palabras',
  ])
  t.same(await noticesOf(ana.member), [
    'Nuevo mensaje de WhatsApp: 3 conversaciones más esperan una respuesta',
    'Nuevo mensaje de WhatsApp: Lucía <b> espera una respuesta',
    'Nuevo mensaje de WhatsApp: sin otras palabras',
  ])
})

/** Notifies about a customer's answer, as the inbox does. */
const reply = (stage: Awaited<ReturnType<typeof aStage>>, to: AMember[], conversationId = 'talk', count?: number) =>
  stage.writes.tell(stage.ana.org.id, write =>
    stage.notifications.notify(write, {
      userIds: to.map(one => one.user.id),
      words: { key: 'replied', params: { name: 'Lucía' } },
      redirect: '/5491155554444',
      conversation: { id: conversationId, count, several: { key: 'several', params: { name: 'Lucía' } } },
    }),
  )
const idOf = (draft: { data: unknown } | undefined) => (draft?.data as { id: string } | undefined)?.id

t.test(
  'unread notifications of one conversation are combined into one that counts and moves to the front with its id',
  async t => {
    const stage = await aStage(t)
    const { notifications, ana, beto, notify, clock, databases } = stage
    const later = () => clock.advance(60_000)
    const [first] = await reply(stage, [ana, beto])
    t.match(first?.data, { kind: 'replied', conversationId: 'talk', message: 'Lucía respondió' })
    later()
    await notify(ana.org.id, [ana.user.id], 'something else')
    await reply(stage, [ana], 'other talk')
    later()
    const [second] = await reply(stage, [ana])
    t.equal(idOf(second), idOf(first))
    t.match(second?.data, { title: 'Nuevo mensaje de WhatsApp', message: '2 mensajes nuevos de Lucía', viewed: false })
    await reply(stage, [ana], 'talk', 3)
    const noticesOf = async (who: AMember, language: 'es' | 'en' = 'es') =>
      (await notifications.list({ ...who.member, language }, { query: {} })).map(one => one.message)
    t.same(await noticesOf(ana), ['5 mensajes nuevos de Lucía', 'Lucía respondió', 'something else'])
    t.same(await noticesOf(ana, 'en'), ['5 new messages from Lucía', 'Lucía replied', 'something else'])
    t.same(await noticesOf(beto), ['Lucía respondió'], 'each counts their own')
    t.equal((await notifications.summary(ana.member, {})).unread, 3)
    t.match(await notifications.list(ana.member, { query: {} }), [{ createdAt: '2026-11-20T13:02:00.000Z' }])

    await notifications.markViewed(ana.member, { query: { id: idOf(first) as string } })
    const [third] = await reply(stage, [ana])
    t.not(idOf(third), idOf(first), 'what was read stays as it was')
    t.same(await noticesOf(ana), ['Lucía respondió', '5 mensajes nuevos de Lucía', 'Lucía respondió', 'something else'])
    const stranger = await aMember({ databases })
    t.same(await noticesOf(stranger), [])
  },
)

t.test('pages and "mark all" use the time of the last update, not of creation', async t => {
  const stage = await aStage(t)
  const { notifications, ana, notify, clock } = stage
  await reply(stage, [ana])
  for (let i = 0; i < notificationsPerPage; i += 1) {
    clock.advance(1000)
    await notify(ana.org.id, [ana.user.id], `m${i}`)
  }
  await reply(stage, [ana])
  const first = await notifications.list(ana.member, { query: {} })
  t.equal(first[0]?.message, '2 mensajes nuevos de Lucía')
  const rest = await notifications.list(ana.member, { query: { before: first.at(-1)?.id } })
  t.same(
    rest.map(one => one.message),
    ['m0'],
  )
  t.same(await notifications.list(ana.member, { query: { before: rest[0]?.id } }), [])
  const upTo = first[1]?.id as string
  t.same(await notifications.markAllViewed(ana.member, { body: { upTo } }), { unread: 1, any: true })
  t.equal((await notifications.list(ana.member, { query: {} }))[0]?.viewed, false)
})

t.test('opening a page marks the notifications that link to it, and no others', async t => {
  const { notifications, ana, beto, notify, databases } = await aStage(t)
  const both = [ana.user.id, beto.user.id]
  await notify(ana.org.id, both, 'here')
  await notify(ana.org.id, both, 'here too')
  await notify(ana.org.id, both, 'there', '/5491155550000')
  await notify(ana.org.id, both, 'nowhere', null)
  const redirect = '/5491155554444'
  const noticesOf = () => databases.read.selectFrom('event').select('seq').execute()
  const before = (await noticesOf()).length
  t.same(await notifications.markSeenAt(ana.member, { body: { redirect } }), { unread: 2, any: true })
  t.same(await notifications.markSeenAt(ana.member, { body: { redirect } }), { unread: 2, any: true })
  t.equal((await notifications.summary(beto.member, {})).unread, 4)
  t.equal((await noticesOf()).length - before, 1, 'other tabs are told once')
})

t.test('a muted conversation is listed and counted, and sends no push message', async t => {
  const stage = await aStage(t)
  const { notifications, databases, ana, beto, pushed } = stage
  const plant = async (orgId: string) => {
    const [contactId, id] = [newId(), newId()]
    const at = '2026-11-20T13:00:00.000Z'
    await databases.write
      .insertInto('contact')
      .values({ id: contactId, org_id: orgId, created_at: at, updated_at: at })
      .execute()
    const row = {
      id,
      org_id: orgId,
      contact_id: contactId,
      connection_id: 'number',
      control: 'human' as const,
      last_activity_at: at,
      created_at: at,
    }
    await databases.write
      .insertInto('conversation')
      .values({ ...row, archived: 0, unread: 0 })
      .execute()
    return id
  }
  const id = await plant(ana.org.id)
  const mute = (muted: boolean, who = ana.member) => notifications.mute(who, { params: { id }, body: { muted } })
  const reached = async (conversationId = id) => {
    const before = pushed().length
    await reply(stage, [ana, beto], conversationId)
    return pushed().slice(before)
  }
  t.same(await reached(), [ana.user.id, beto.user.id])
  const heard = stage.writes.published.length
  t.match(await mute(true), { mutedConversations: [id], muted: false })
  t.match(stage.writes.published.slice(heard), [{ type: 'notificationSettings', audience: [ana.user.id] }])
  t.match(await mute(true), { mutedConversations: [id] })
  t.same(await reached(), [beto.user.id])
  t.same(await reached('another'), [ana.user.id, beto.user.id])
  t.equal((await notifications.summary(ana.member, {})).unread, 2, 'it is listed all the same')
  t.same((await notifications.getSettings(beto.member, {})).mutedConversations, [])
  t.same((await mute(false)).mutedConversations, [])
  t.same(await reached(), [ana.user.id, beto.user.id])
  const stranger = await aMember({ databases, role: 'owner' })
  await t.rejects(async () => mute(true, stranger.member), { code: 'NOTIFICATIONS_NOT_FOUND', status: 404 })
})
