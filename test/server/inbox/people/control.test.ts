import t from 'tap'
import { type ControlCause, decideControl, moreUrgent, shownControl } from '#server/inbox/people/control.ts'
import type { Control } from '#shared/events/inbox.ts'

const controls: readonly Control[] = ['none', 'bot', 'human', 'needsHuman']
const wrote = { kind: 'customerWrote', group: false, botTakes: false } as const

/** What becomes of each control, in the order of `controls`; `assigned` where a person has it by name. */
const table: readonly [name: string, cause: ControlCause, free: Control[], assigned: Control[]][] = [
  [
    'a customer writes and no flow answers',
    wrote,
    ['needsHuman', 'needsHuman', 'human', 'needsHuman'],
    ['human', 'human', 'human', 'needsHuman'],
  ],
  [
    'a customer writes and a flow answers',
    { ...wrote, botTakes: true },
    ['bot', 'bot', 'human', 'needsHuman'],
    ['bot', 'bot', 'human', 'needsHuman'],
  ],
  ['a group is written to', { ...wrote, group: true }, [...controls], [...controls]],
  ['a person writes', { kind: 'personWrote' }, Array(4).fill('human'), Array(4).fill('human')],
  ['somebody writes from the phone', { kind: 'phoneWrote' }, Array(4).fill('human'), Array(4).fill('human')],
  ['a person takes it', { kind: 'taken' }, Array(4).fill('human'), Array(4).fill('human')],
  ['a program writes', { kind: 'programWrote' }, [...controls], [...controls]],
  ['a flow writes', { kind: 'botWrote' }, ['bot', 'bot', 'human', 'needsHuman'], ['bot', 'bot', 'human', 'needsHuman']],
  [
    'a flow hands over',
    { kind: 'handedOver' },
    ['needsHuman', 'needsHuman', 'human', 'needsHuman'],
    ['human', 'human', 'human', 'human'],
  ],
  [
    'a flow ends',
    { kind: 'botEnded' },
    ['none', 'none', 'human', 'needsHuman'],
    ['none', 'none', 'human', 'needsHuman'],
  ],
  ['a person gives it back', { kind: 'released' }, Array(4).fill('none'), Array(4).fill('none')],
  ['it is archived', { kind: 'archived' }, Array(4).fill('none'), Array(4).fill('none')],
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

t.test('two conversations that become one keep the one that needs more, in either order', async t => {
  for (const [i, less] of controls.entries())
    for (const more of controls.slice(i)) t.same([moreUrgent(less, more), moreUrgent(more, less)], [more, more])
})

t.test('readers know three words: that nobody has it is the bot of the contract', async t => {
  t.strictSame(controls.map(shownControl), ['bot', 'bot', 'human', 'needsHuman'])
})
