/** Who sees a conversation is decided twice: by a condition in SQL for lists, and in the process for events. */
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import t from 'tap'
import { seen } from '#server/identity/visibility/condition.ts'
import { scopeBy, sees, seesSome } from '#server/identity/visibility/scope.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { randomCases } from '#test/helpers/night.ts'

t.test('the condition in SQL and the verdict in the process are one', async t => {
  const { backend, databases, owner, call } = await chatStage(t)
  const orgId = owner.org.id
  for (const from of ['5491155550201', '5491155550202', '5491155550203'])
    await call('POST', '/sandbox/inbound', { from, text: 'Hola', name: `Cliente ${from}` })
  await backend.settle()
  const chats = await databases.read
    .selectFrom('conversation')
    .select(['id', 'contact_id'])
    .where('org_id', '=', orgId)
    .execute()
  const tagged = [newId(), newId()]
  await inTransaction(databases, async trx => {
    for (const [i, id] of tagged.entries()) {
      await trx
        .insertInto('tag')
        .values({ id, org_id: orgId, label: `Etiqueta ${i}`, created_at: '' })
        .execute()
      const contactId = chats[i]?.contact_id as string
      await trx.insertInto('contact_tag').values({ contact_id: contactId, tag_id: id, org_id: orgId }).execute()
    }
  })
  const tags = [...tagged, 'none']
  const people = ['a colleague', owner.user.id]
  const teams = ['sales', 'billing']
  await fc.assert(
    fc.asyncProperty(
      fc.option(fc.subarray(tags)),
      fc.boolean(),
      fc.subarray(teams),
      fc.constantFrom(null, ...people),
      fc.constantFrom(null, ...people),
      fc.constantFrom(null, ...teams),
      async (tagIds, otherTeams, teamIds, personId, assignee, teamId) => {
        await databases.write
          .updateTable('conversation')
          .set({ assignee_id: assignee, team_id: teamId })
          .where('org_id', '=', orgId)
          .execute()
        const scope = seesSome({ tagIds, otherTeams, teamIds, assigneeId: personId })
        const among = (condition: RawBuilder<boolean>) =>
          databases.read
            .selectFrom('conversation')
            .select('conversation.id')
            .where('conversation.org_id', '=', orgId)
            .where(condition)
            .execute()
        const found = await among(seen(scope))
        const all = chats.map(({ id }) => id)
        const facts = await backend.parts.scopes.readFacts(orgId, all)
        t.same(
          all.filter(id => sees(scope, facts.get(id))),
          all.filter(id => found.some(row => row.id === id)),
        )
        t.equal(found.length + (await among(sql<boolean>`not ${seen(scope)}`)).length, all.length, 'never null')
      },
    ),
    { numRuns: randomCases({ day: 30, night: 60 }) },
  )
})

t.test('who decides about access sees everything', async t => {
  const limits = { tags: new Map(), byTeam: true, teams: new Map() }
  t.equal(scopeBy(limits, { role: 'admin', personId: 'x' }).kind, 'all')
})
