import t from 'tap'
import {
  type ControlCause,
  decideControl,
  isPersons,
  moreUrgent,
  shownControl,
} from '#server/messaging/conversations/control.ts'
import type { Control } from '#server/messaging/events.ts'

const controls: readonly Control[] = ['none', 'bot', 'metaAgent', 'human', 'needsHuman']
const wrote = { kind: 'customerWrote', group: false, botTakes: false } as const

/** The result of each cause for every control, in the order of `controls`; `assigned` if a member is the assignee. */
const table: readonly [name: string, cause: ControlCause, free: Control[], assigned: Control[]][] = [
  [
    'a customer writes and no flow answers',
    wrote,
    ['needsHuman', 'needsHuman', 'needsHuman', 'human', 'needsHuman'],
    ['human', 'human', 'human', 'human', 'needsHuman'],
  ],
  [
    'a customer writes and a flow answers',
    { ...wrote, botTakes: true },
    ['bot', 'bot', 'bot', 'human', 'needsHuman'],
    ['bot', 'bot', 'bot', 'human', 'needsHuman'],
  ],
  ['a group is written to', { ...wrote, group: true }, [...controls], [...controls]],
  ['a person writes', { kind: 'personWrote' }, Array(5).fill('human'), Array(5).fill('human')],
  ['somebody writes from the phone', { kind: 'phoneWrote' }, Array(5).fill('human'), Array(5).fill('human')],
  ['a person takes it', { kind: 'taken' }, Array(5).fill('human'), Array(5).fill('human')],
  [
    "a program writes, and Meta's agent falls silent",
    { kind: 'programWrote' },
    ['none', 'bot', 'none', 'human', 'needsHuman'],
    ['none', 'bot', 'none', 'human', 'needsHuman'],
  ],
  [
    'a flow writes',
    { kind: 'botWrote' },
    ['bot', 'bot', 'metaAgent', 'human', 'needsHuman'],
    ['bot', 'bot', 'metaAgent', 'human', 'needsHuman'],
  ],
  ["Meta's agent answers", { kind: 'agentAnswers' }, Array(5).fill('metaAgent'), Array(5).fill('metaAgent')],
  [
    "Meta's agent gives it to the team",
    { kind: 'agentLeft' },
    Array(5).fill('needsHuman'),
    Array(5).fill('needsHuman'),
  ],
  [
    'a flow hands over',
    { kind: 'handedOver' },
    ['needsHuman', 'needsHuman', 'metaAgent', 'human', 'needsHuman'],
    ['human', 'human', 'metaAgent', 'human', 'human'],
  ],
  [
    'a flow ends',
    { kind: 'botEnded' },
    ['none', 'none', 'metaAgent', 'human', 'needsHuman'],
    ['none', 'none', 'metaAgent', 'human', 'needsHuman'],
  ],
  ['a person gives it back', { kind: 'released' }, Array(5).fill('none'), Array(5).fill('none')],
  ['it is archived', { kind: 'archived' }, Array(5).fill('none'), Array(5).fill('none')],
]

for (const [name, cause, free, assigned] of table)
  t.test(name, async t => {
    t.strictSame(
      controls.map(control => decideControl({ control, assigneeId: null }, cause)),
      free,
    )
    t.strictSame(
      controls.map(control => decideControl({ control, assigneeId: 'ana' }, cause)),
      assigned,
    )
  })

t.test('two merged conversations keep the control with the greater need, in either order', async t => {
  for (const [i, less] of controls.entries())
    for (const more of controls.slice(i)) t.same([moreUrgent(less, more), moreUrgent(more, less)], [more, more])
})

t.test('readers know four values: a conversation that nobody has is `bot` in the contract', async t => {
  t.strictSame(controls.map(shownControl), ['bot', 'bot', 'metaAgent', 'human', 'needsHuman'])
})

t.test('a person has a conversation that waits for one or that one answers', async t => {
  t.strictSame(controls.filter(isPersons), ['human', 'needsHuman'])
})
