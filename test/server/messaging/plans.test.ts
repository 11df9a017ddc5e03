import t from 'tap'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('drafts, imports, merges and conversation counts per member are found by an index', async t => {
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
    [
      "select id, conversation_id from scheduled_message where org_id || '' = 'o' and conversation_id in ('a', 'b')",
      /scheduled_message_chat/,
    ],
    ["select id from contact_import where org_id = 'o' order by id desc limit 9", /contact_import_org/],
    [
      "select id, message_id from media where message_id in ('a', 'b') and org_id || '' = 'o' and state = 'stored'",
      /SEARCH media USING .*\(message_id=/,
    ],
    [
      "select contact_id from conversation where contact_id in ('a', 'b') and org_id || '' = 'o' and kind = 'cloud'",
      /SEARCH conversation USING .*\(contact_id=/,
    ],
    [
      "select 'm', id, org_id, conversation_id from message where conversation_id in ('a', 'b') and org_id || '' = 'o'",
      /message_thread/,
    ],
    [
      "update message set conversation_id = 'a' where id in (select message_id from contact_merge_message where merge_id = 'm' and conversation_id = 'a') and org_id || '' = 'o'",
      /SEARCH message USING .*SEARCH contact_merge_message USING .*\(merge_id=/,
    ],
    [
      "select id from contact_merge where contact_id = 'c' and org_id || '' = 'o' order by id desc limit 9",
      /contact_merge_contact/,
    ],
    [
      "delete from contact_merge where id in (select id from contact_merge where undo_until < 'x' order by undo_until limit 9)",
      /contact_merge_over/,
    ],
    [
      "delete from contact_merge_message where (merge_id, message_id) in (select merge_id, message_id from contact_merge_message where merge_id in (select id from contact_merge where undo_until < 'x') limit 9)",
      /SEARCH contact_merge_message .*contact_merge_over/,
    ],
  ] as const) {
    t.match(plan(statement), index)
    t.notMatch(plan(statement), /TEMP B-TREE/, statement)
  }
})
