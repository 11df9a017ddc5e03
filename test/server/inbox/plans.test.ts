import t from 'tap'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('drafts, and who has how many conversations, are found by an index', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const plan = (statement: string) =>
    databases.raw.read
      .prepare(`explain query plan ${statement}`)
      .all()
      .map(row => (row as { detail: string }).detail)
      .join(' ')
  for (const [statement, index] of [
    ["select * from chat_draft where org_id = 'o' and person_id = 'p' limit 9", /chat_draft_person/],
    ["select * from chat_draft where org_id = 'o' order by saved_at desc limit 9", /chat_draft_newest/],
    ["select * from chat_draft where saved_at < 'x' limit 9", /chat_draft_age/],
    ["delete from availability where user_id = 'u'", /availability_user/],
    [
      "select assignee_id, count(*) from conversation where org_id = 'o' and assignee_id in ('a', 'b') and kind = 'cloud' and archived = 0 group by assignee_id",
      /COVERING INDEX conversation_assignee/,
    ],
    [
      "select id from conversation where org_id = 'o' and kind = 'cloud' and archived = 0 and control = 'needsHuman' and coalesce(assignee_id, '') = '' order by last_activity_at, id limit 9",
      /conversation_needed/,
    ],
  ] as const) {
    t.match(plan(statement), index)
    t.notMatch(plan(statement), /TEMP B-TREE/, statement)
  }
})
