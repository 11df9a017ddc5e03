import t from 'tap'
import { rowHtml } from '#client/inbox/list/rows/row-html.ts'
import type { InboxT } from '#client/inbox/words.ts'
import { drawings } from '#client/ui/pictures/drawings.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'

/** Returns the key and its parameters, so assertions can name both. */
const words = ((key: string, params?: object) =>
  params ? `${key} ${JSON.stringify(params)}` : key) as unknown as InboxT

const now = Date.parse('2026-11-20T18:00:00Z')
const reader = {
  now,
  timeZone: 'America/Argentina/Buenos_Aires',
  language: 'es',
  t: words,
  numbers: [],
  userId: 'ana',
} as const
const hostile = '<script>alert("1")</script>'

const conversation = (facts: Partial<Conversation>): Conversation => ({
  id: 'c1',
  phone: '5491155550100',
  username: null,
  displayPhone: '+54 9 11 5555-0100',
  name: 'Lucía Méndez',
  lastMessage: { text: 'hola', type: 'text', at: '2026-11-20T17:05:00.000Z', direction: 'in', status: 'received' },
  unread: 0,
  tags: [],
  archived: false,
  windowClosesAt: null,
  control: 'human',
  assignee: null,
  ...facts,
})

const printed = (facts: Partial<Conversation>, draft?: string) => rowHtml(conversation(facts), { draft }, reader).__html

/** Whether the parts occur in the text in this order. */
const hasInOrder = (text: string, ...parts: string[]): boolean => {
  let at = 0
  return parts.every(part => {
    const found = text.indexOf(part, at)
    at = found + part.length
    return found >= 0
  })
}

t.test('names, drafts and messages are escaped', async t => {
  const lastMessage = {
    text: hostile,
    type: 'text',
    at: '2026-11-20T17:05:00.000Z',
    direction: 'in',
    status: 'received',
  }
  t.notMatch(printed({ name: hostile, lastMessage } as Partial<Conversation>), '<script')
  t.notMatch(printed({}, hostile), '<script')
})

t.test('a time is shown in the reader’s time zone', async t => t.match(printed({}), '>14:05</time>'))

t.test('a row without messages shows no message', async t =>
  t.match(printed({ lastMessage: null }), '<span class="row-last"></span>'),
)

t.test('the remaining window is written out in its last two hours only', async t => {
  t.match(printed({ windowClosesAt: '2026-11-20T19:12:00.000Z' }), '1\u00a0h\u00a012')
  t.notMatch(printed({ windowClosesAt: '2026-11-20T20:01:00.000Z' }), 'row-closing')
  t.notMatch(printed({ windowClosesAt: '2026-11-20T17:59:00.000Z' }), 'row-closing')
})

t.test('within six hours the row says how many whole hours are left; a lock says that it is closed', async t => {
  const of = (windowClosesAt: string | null) => printed({ windowClosesAt })
  t.notMatch(of('2026-11-21T18:00:00.000Z'), /row\.windowLeft|row-hours/, 'a day is left')
  t.notMatch(of('2026-11-21T00:01:00.000Z'), 'row-hours')
  t.match(of('2026-11-21T00:00:00.000Z'), /aria-label="row\.windowLeft [^>]*6.*row-window-2"><\/span>row\.hours .*6/)
  t.match(of('2026-11-20T20:01:00.000Z'), /row\.windowLeft [^>]*2.*row-window-1"/)
  t.ok(hasInOrder(of('2026-11-20T17:59:00.000Z'), 'row.windowClosed', drawings.lock))
  t.ok(hasInOrder(of(null), 'row.windowClosed', drawings.lock))
  t.notMatch(of('2026-11-20T19:12:00.000Z'), 'row-window', 'words are enough')
  t.notMatch(printed({ group: true }), 'row-hours', 'a group has none')
})

t.test('a snoozed row says when it comes back, and a row that came back says so with its time', async t => {
  const by = { id: 'ana', name: 'Ana Paz' }
  const at = '2026-11-20T12:00:00.000Z'
  const snoozed = { snoozedUntil: '2026-11-21T12:00:00.000Z', snooze: { by, at } }
  t.match(printed(snoozed), /snooze\.back \{[^}]*scheduled\.tomorrow 09:00/)
  t.match(printed({ ...snoozed, snooze: { by, at, ifNoAnswer: true } }), /snooze\.backIfNoAnswer/)
  const back = printed({ snooze: { by, at, returnedAt: '2026-11-20T17:30:00.000Z' } })
  t.match(back, /row-returned.*snooze\.returnedYou/)
  t.match(back, />14:30<\/time>/)
  t.notMatch(back, 'hola')
  const other = { by: { id: 'luis', name: hostile }, at, returnedAt: '2026-11-20T17:30:00.000Z' }
  t.notMatch(printed({ snooze: other }), '<script')
})

t.test('the conversation’s owner is named beside its icon', async t => {
  t.ok(hasInOrder(printed({ control: 'needsHuman' }), 'row-needs', drawings.hand, 'control.needsHuman'))
  t.ok(hasInOrder(printed({ control: 'bot' }), 'row-bot', drawings.bot, 'control.bot'))
  t.ok(hasInOrder(printed({ control: 'human' }), 'row-owner', drawings.person, 'row.nobody'))
  t.match(printed({ assignee: { id: 'ana', name: 'Ana Paz' } }), /row-taken.*row\.you/)
  t.match(printed({ assignee: { id: 'luis', name: 'Luis' } }), />Luis<\/span>/)
  t.notMatch(printed({ assignee: { id: 'luis', name: hostile } }), '<script')
})

t.test('three tags are shown with their colours, and the number of further ones', async t => {
  const tags = ['A', 'B', 'C', 'D', 'E'].map((label, hue) => ({ id: label, label, hue }))
  t.match(printed({ tags: tags.slice(0, 3) }), /tag hue-0.*>A<.*tag hue-2.*>C</)
  t.notMatch(printed({ tags: tags.slice(0, 3) }), 'tag-rest')
  t.match(printed({ tags }), /title="D, E">\+2</)
  t.notMatch(printed({ tags }), '>D<')
  t.notMatch(printed({ tags: tags.map(tag => ({ ...tag, label: hostile })) }), '<script')
})

t.test('a tag that does not fit is counted, not drawn as a dot', async t => {
  const named = (...labels: string[]) => labels.map((label, hue) => ({ id: label, label, hue }))
  const tags = named('Mayorista', 'Paga hoy', 'Oficinas')
  t.match(printed({ tags, control: 'bot' }), /title="Paga hoy, Oficinas">\+2</)
  t.match(printed({ tags, control: 'needsHuman' }), /title="Paga hoy, Oficinas">\+2</)
  t.match(printed({ tags: named('x'.repeat(60)), control: 'bot' }), /class="tag hue-0 tag-last"/, 'may be cut')
  const full = { assignee: { id: 'luis', name: 'Luis Ferrari' }, waitingSince: '2026-11-20T15:00:00.000Z' }
  const crowded = printed({ tags, ...full, windowClosesAt: '2026-11-20T19:12:00.000Z' })
  t.notMatch(crowded, 'class="tag ', 'of the first, too little could be read')
  t.ok(hasInOrder(crowded, 'title="Mayorista, Paga hoy, Oficinas"', drawings.tag, '3</span>'))
})

t.test('a colleague is named in short, and in full on hover', async t => {
  const of = (name: string) => printed({ assignee: { id: 'luis', name } })
  t.match(of('Martina Sosa'), /title="Martina Sosa".*>Martina S\.</)
  t.match(of('Luis'), />Luis</)
  t.match(of('Ana María de Paz'), />Ana P\.</)
})

t.test('unread is a number up to 99, and has a label for screen readers', async t => {
  t.match(printed({ unread: 3 }), /aria-label="row\.unread .*3.*">3</)
  t.match(printed({ unread: 120 }), '>120<')
  t.match(printed({ unread: 1284 }), /row\.unread .*>1,3\smil</)
})

t.test('our number is shown only if there are several', async t => {
  t.notMatch(printed({}), 'row-number')
  const number = '5491150000001'
  t.match(printed({ number }), /row-number.*\+5491150000001.*…0001</)
  const facts = { id: 'n', phone: number, verifiedName: null, status: 'connected' as const }
  const named = (label: string | null) => {
    const numbers = [{ ...facts, displayPhone: '+54 9 11 5000-0001', label }]
    return rowHtml(conversation({ number }), { draft: undefined }, { ...reader, numbers }).__html
  }
  t.match(named(null), /title=".*\+54 9 11 5000-0001.*…0001</)
  t.match(named('Ventas'), 'Ventas</span>')
  t.notMatch(named(hostile), '<script')
})

t.test('a group is labelled as one, and no bot owns it', async t => {
  const group = printed({ group: true, control: 'bot' })
  t.match(group, 'row.group')
  t.match(group, 'row.nobody')
  t.notMatch(group, 'control.bot')
  t.match(printed({ control: 'bot' }), 'control.bot')
})

t.test('a WhatsApp notice is shown in our words, with the contact’s new number', async t => {
  const notice = {
    text: 'Ana changed',
    type: 'system',
    at: '2026-11-20T17:05:00.000Z',
    direction: 'in',
    status: 'received',
  }
  const of = (news?: object) => printed({ lastMessage: { ...notice, news } } as unknown as Partial<Conversation>)
  t.match(of({ kind: 'identity' }), '>news.identity</span>')
  t.match(of({ kind: 'userId' }), '>news.userId</span>')
  t.match(
    of({ kind: 'number', from: '5491155550100', to: '5491166667777' }),
    'news.number {&quot;to&quot;:&quot;+5491166667777',
  )
  t.match(of(), '>news.other</span>')
  t.notMatch(of({ kind: 'identity' }), 'Ana changed')
})

t.test('a row whose last message failed shows the reason instead of the text', async t => {
  const failed = { text: 'Ya sale', type: 'image', at: '2026-11-20T17:05:00.000Z', direction: 'out', status: 'failed' }
  const of = (error?: string) => printed({ lastMessage: { ...failed, error } } as Partial<Conversation>)
  t.match(
    of('131047'),
    'row.failed {&quot;reason&quot;:&quot;row.why.window&quot;,&quot;next&quot;:&quot;failureNext.template&quot;}',
  )
  t.match(of('999999'), 'row.why.unknown')
  t.notMatch(of('131047'), 'status.failed', 'said once')
  t.match(of('131047'), 'row-failed')
  t.notMatch(of('UNCONFIRMED'), 'row-failed', 'it may have arrived')
  for (const row of [of('131047'), of('999999'), of()]) t.notMatch(row, 'Ya sale')
})

t.test('a wait is one word: the time left for a promised response, and then how long it lasts', async t => {
  const waitingSince = '2026-11-20T17:30:00.000Z'
  t.match(printed({ waitingSince }), /row\.waitsTime/)
  const due = printed({ waitingSince, answerDueAt: '2026-11-20T18:04:30.000Z' })
  t.match(due, /row\.promiseLeft/)
  t.notMatch(due, 'row.waitsTime')
  const late = printed({ waitingSince, answerDueAt: '2026-11-20T17:48:00.000Z' })
  t.ok(hasInOrder(late, 'row-late', drawings.warn, 'row.promiseBroken', 'row.waitsTime'))
  t.equal(late.split('row-waits').length - 1, 1)
  t.match(late, 'row-hours', 'the window stays in its place')
  const alone = printed({ control: 'needsHuman', waitingSince, answerDueAt: '2026-11-20T17:48:00.000Z' })
  t.ok(hasInOrder(alone, 'row-needs-late', 'control.needsHuman', 'row.waitsTime'))
})

t.test('the time left for a first response is written out, and then that the promise is broken', async t => {
  t.match(printed({ answerDueAt: '2026-11-20T18:04:30.000Z' }), /row\.promiseLeft [^<]*[^0-9]5\u00a0min/)
  t.match(printed({ answerDueAt: '2026-11-20T18:00:20.000Z' }), /row\.promiseLeft [^<]*[^0-9]1\u00a0min/)
  const late = printed({ answerDueAt: '2026-11-20T17:48:00.000Z' })
  t.match(late, /row\.promiseBroken/)
  t.match(late, drawings.warn, 'not by colour alone')
  const older = printed({ answerDueAt: '2026-11-19T17:59:00.000Z' })
  t.match(older, 'row-late', 'it is still in the list of overdue ones')
  t.notMatch(older, 'row.answerBy', 'the hour alone would be read as one of today')
  t.notMatch(printed({}), 'row-waits')
  const closing = { windowClosesAt: '2026-11-20T19:00:00.000Z', answerDueAt: '2026-11-20T17:00:00.000Z' }
  t.ok(hasInOrder(printed(closing), 'row-late', 'row-closing'), 'a closing window is shown with it')
})
