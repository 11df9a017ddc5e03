import t from 'tap'
import { assigneesOf } from '#client/inbox/thread/head/assignees.ts'
import type { InboxT } from '#client/inbox/words.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { OrgMember, OrgTeam } from '#shared/orgs/members.ts'

const words = ((key: string, values: { name?: string } = {}) =>
  values.name ? `${key} ${values.name}` : key) as unknown as InboxT
const people = ['Ana', 'Beto', 'Caro'].map(name => ({ userId: name.toLowerCase(), name }) as OrgMember)
const teams = [{ id: 'ventas', name: 'Ventas' } as OrgTeam]
const shown = (conversation: Partial<Conversation>) =>
  assigneesOf({ people, teams, userId: 'beto', conversation: conversation as Conversation }, words)

t.test('for an unassigned conversation the reader is listed first, then the others and the teams', async t => {
  t.same(
    shown({ assignee: null }).map(({ label, assignment: { done, ...body } }) => [label, body]),
    [
      ['assign.me', { userId: 'beto' }],
      ['Ana', { userId: 'ana' }],
      ['Caro', { userId: 'caro' }],
      ['assign.team Ventas', { teamId: 'ventas' }],
    ],
  )
})

t.test('an assigned conversation offers removing the member, the team or both', async t => {
  const all = shown({ assignee: { id: 'caro', name: 'Caro' }, team: { id: 'ventas', name: 'Ventas' } })
  t.same(
    all.map(({ label, isChosen, assignment: { done, ...body } }) => [label, isChosen, body]),
    [
      ['assign.me', false, { userId: 'beto' }],
      ['assign.nobody', false, { userId: null, teamId: null }],
      ['Ana', false, { userId: 'ana' }],
      ['Caro', true, { userId: null }],
      ['assign.team Ventas', true, { teamId: null }],
    ],
  )
})

t.test('the reader’s own conversation is marked as theirs', async t => {
  const [mine] = shown({ assignee: { id: 'beto', name: 'Beto' } })
  t.match(mine, { label: 'assign.mine', isChosen: true, assignment: { userId: null } })
})
