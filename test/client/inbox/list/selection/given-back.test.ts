import t from 'tap'
import { givenBack } from '#client/inbox/list/selection/given-back.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'

const row = (id: string, facts: Partial<Conversation>) => ({ id, assignee: null, ...facts }) as Conversation
const ana = { id: 'ana', name: 'Ana' }

t.test('each conversation returns to its assignee, and waiting ones wait again', async t => {
  const given = givenBack([
    row('1', { control: 'needsHuman' }),
    row('2', { control: 'human', assignee: ana }),
    row('3', { control: 'needsHuman' }),
    row('4', { control: 'bot', team: { id: 'sales', name: 'Ventas' } }),
    row('5', { control: 'human' }),
  ])
  t.strictSame(
    given.map(({ rows, body }) => [rows.map(({ id }) => id), body]),
    [
      [['1', '3'], { userId: null, teamId: null, control: 'needsHuman' }],
      [['2'], { userId: 'ana', teamId: null }],
      [['4'], { userId: null, teamId: 'sales', control: 'bot' }],
      [['5'], { userId: null, teamId: null }],
    ],
  )
})
