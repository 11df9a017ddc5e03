CREATE TABLE "account" (
  "id" text primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" text,
  "refreshTokenExpiresAt" text,
  "scope" text,
  "password" text,
  "createdAt" text not null,
  "updatedAt" text not null
) strict;
CREATE UNIQUE INDEX "account_provider" on "account" ("userId", "providerId");
CREATE INDEX "account_userId_idx" on "account" ("userId");

CREATE TABLE "api_call" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "key_id" text not null references "apikey" ("id") on delete cascade,
  "at" text not null,
  "method" text not null,
  "route" text not null,
  "status" integer not null,
  "has_failed" integer not null,
  "code" text,
  "text_code" text,
  "took_ms" integer not null,
  "address" text not null,
  "request_id" text not null
) strict;
CREATE INDEX "api_call_at" on "api_call" ("at");
CREATE INDEX "api_call_key" on "api_call" ("key_id", "id");
CREATE INDEX "api_call_key_failed" on "api_call" ("key_id", "has_failed", "id");
CREATE INDEX "api_call_org" on "api_call" ("org_id", "id");
CREATE INDEX "api_call_org_failed" on "api_call" ("org_id", "has_failed", "id");

CREATE TABLE "apikey" (
  "id" text primary key,
  "configId" text not null,
  "name" text,
  "start" text,
  "referenceId" text not null references "organization" ("id") on delete cascade,
  "prefix" text,
  "key" text not null,
  "refillInterval" integer,
  "refillAmount" integer,
  "lastRefillAt" text,
  "enabled" integer,
  "rateLimitEnabled" integer,
  "rateLimitTimeWindow" integer,
  "rateLimitMax" integer,
  "requestCount" integer,
  "remaining" integer,
  "lastRequest" text,
  "expiresAt" text,
  "createdAt" text not null,
  "updatedAt" text not null,
  "permissions" text,
  "metadata" text,
  "member_id" text references "member" ("id") on delete set null
) strict;
CREATE INDEX "apikey_end" on "apikey" ("expiresAt");
CREATE UNIQUE INDEX "apikey_key" on "apikey" ("key");
CREATE INDEX "apikey_member" on "apikey" ("member_id");
CREATE INDEX "apikey_organization" on "apikey" ("referenceId", "createdAt");

CREATE TABLE "assignment_rule" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "team_id" text not null,
  "way" text not null,
  "most" integer,
  "to_last" integer not null,
  "last_user_id" text,
  constraint "assignment_rule_pk" primary key ("org_id", "team_id")
) strict;

CREATE TABLE "audience_segment" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "label" text not null,
  "filter" text not null,
  "created_at" text not null
) strict;
CREATE INDEX "audience_segment_org" on "audience_segment" ("org_id", "id");

CREATE TABLE "audit_entry" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "at" text not null,
  "kind" text not null,
  "action" text not null,
  "actor_id" text not null,
  "actor" text not null,
  "address" text,
  "device" text,
  "subject" text,
  "changes" text,
  "is_done" integer not null
) strict;
CREATE INDEX "audit_entry_actor" on "audit_entry" ("org_id", "actor_id", "id");
CREATE INDEX "audit_entry_at" on "audit_entry" ("at");
CREATE INDEX "audit_entry_kind" on "audit_entry" ("org_id", "kind", "id");
CREATE INDEX "audit_entry_org" on "audit_entry" ("org_id", "id");

CREATE TABLE "availability" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "user_id" text not null references "user" ("id") on delete cascade,
  "state" text not null,
  "changed_at" text not null,
  constraint "availability_pk" primary key ("org_id", "user_id")
) strict;
CREATE INDEX "availability_user" on "availability" ("user_id");

CREATE TABLE "backup_code" (
  "user_id" text not null references "user" ("id") on delete cascade,
  "hash" text not null,
  constraint "backup_code_pk" primary key ("user_id", "hash")
) strict;

CREATE TABLE "block_mark" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "hash" text not null,
  "erasure_id" text not null references "erasure" ("id") on delete cascade,
  "at" text not null,
  "blocked_by" text not null,
  constraint "block_mark_pk" primary key ("org_id", "hash")
) strict;
CREATE INDEX "block_mark_erasure" on "block_mark" ("erasure_id");

CREATE TABLE "bulk_draft" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "creator_id" text not null,
  "author_name" text not null,
  "saver_name" text not null,
  "revision" integer not null,
  "summary" text not null,
  "steps" text not null,
  "people" text not null,
  "saved_at" text not null
) strict;
CREATE INDEX "bulk_draft_saved" on "bulk_draft" ("org_id", "saved_at", "id");

CREATE TABLE "bulk_pace" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "connection_id" text primary key references "wa_connection" ("id") on delete cascade,
  "per_second" integer not null,
  "slowed_at" text not null,
  "set_per_second" integer
) strict;
CREATE INDEX "bulk_pace_org" on "bulk_pace" ("org_id");

CREATE TABLE "bulk_recipient" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "send_id" text not null references "bulk_send" ("id") on delete cascade,
  "place" integer not null,
  "given" text not null,
  "name" text,
  "state" text not null,
  "reason" text,
  "template_values" text,
  "conversation_id" text,
  "handed_at" text,
  "changed_at" text,
  "marketing_at" text,
  "opted_out_at" text,
  "waits_until" text,
  constraint "bulk_recipient_place" unique ("send_id", "place")
) strict;
CREATE INDEX "bulk_recipient_conversation" on "bulk_recipient" ("conversation_id", "handed_at")
    where "conversation_id" is not null;
CREATE INDEX "bulk_recipient_marketing" on "bulk_recipient" ("conversation_id", "marketing_at")
    where "marketing_at" is not null;
CREATE INDEX "bulk_recipient_org" on "bulk_recipient" ("org_id");
CREATE INDEX "bulk_recipient_reason" on "bulk_recipient" ("send_id", "state", "reason", "place")
    where "reason" is not null;
CREATE INDEX "bulk_recipient_state" on "bulk_recipient" ("send_id", "state", "place");

CREATE TABLE "bulk_send" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "connection_id" text not null,
  "template_id" text not null,
  "template" text not null,
  "request" text,
  "audience" text not null,
  "start_if_planned" integer,
  "state" text not null,
  "reason" text,
  "creator_id" text not null,
  "author_id" text not null,
  "author_name" text not null,
  "created_at" text not null,
  "started_at" text,
  "ended_at" text,
  "announced_at" text,
  "planned" integer default 0 not null,
  "queued" integer default 0 not null,
  "sent" integer default 0 not null,
  "delivered" integer default 0 not null,
  "read" integer default 0 not null,
  "replied" integer default 0 not null,
  "failed" integer default 0 not null,
  "omitted" integer default 0 not null,
  "starts_at" text,
  "care" text,
  "waits_until" text,
  "judged_from" text,
  "opted_out" integer default 0 not null,
  "is_test" integer default 0 not null,
  "held_for" text,
  "held_until" text,
  "cost" text,
  "recipe" text,
  "people_tags" text,
  "is_shared" integer default 0 not null
) strict;
CREATE INDEX "bulk_send_counted" on "bulk_send" ("org_id", "is_test", "state", "creator_id");
CREATE INDEX "bulk_send_newest" on "bulk_send" ("org_id", "id" desc);
CREATE INDEX "bulk_send_own" on "bulk_send" ("org_id", "creator_id", "is_test", "state", "id");
CREATE INDEX "bulk_send_shared" on "bulk_send" ("org_id", "is_shared", "state", "id", "creator_id");
CREATE INDEX "bulk_send_state" on "bulk_send" ("connection_id", "state");

CREATE TABLE "bulk_send_text" (
  "send_id" text not null references "bulk_send" ("id") on delete cascade,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "part" text not null,
  "place" integer not null,
  "text" text not null,
  constraint "bulk_send_text_place" primary key ("send_id", "part", "place")
) strict;
CREATE INDEX "bulk_send_text_org" on "bulk_send_text" ("org_id");

CREATE TABLE "chat_draft" (
  "conversation_id" text not null references "conversation" ("id") on delete cascade,
  "person_id" text not null,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text not null,
  "text" text not null,
  "saved_at" text not null,
  "reply_to" text,
  constraint "chat_draft_pk" primary key ("conversation_id", "person_id")
) strict;
CREATE INDEX "chat_draft_age" on "chat_draft" ("saved_at");
CREATE INDEX "chat_draft_newest" on "chat_draft" ("org_id", "saved_at");
CREATE INDEX "chat_draft_person" on "chat_draft" ("org_id", "person_id");

CREATE TABLE "chat_presence" (
  "conversation_id" text not null references "conversation" ("id") on delete cascade,
  "person_id" text not null,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text not null,
  "looks_until" text not null,
  "writes_until" text,
  constraint "chat_presence_pk" primary key ("conversation_id", "person_id")
) strict;
CREATE INDEX "chat_presence_age" on "chat_presence" ("looks_until");

CREATE TABLE "contact" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text,
  "profile_name" text,
  "username" text,
  "wa_id" text,
  "bsuid" text,
  "created_at" text not null,
  "updated_at" text not null,
  "search" text default '' not null,
  "opt_out" text,
  "note" text,
  "blocked_at" text,
  "blocked_by" text,
  "outside_name" text,
  "outside_name_at" text,
  "is_group" integer default 0 not null
) strict;
CREATE TRIGGER contact_contacts after insert on contact  begin insert into row_use (org_id, contacts) values (new.org_id, 1)
     on conflict (org_id) do update set contacts = row_use.contacts + 1; end;
CREATE TRIGGER contact_contacts_less after delete on contact  begin update row_use set contacts = contacts - 1 where org_id = old.org_id; end;
CREATE INDEX "contact_list" on "contact" ("org_id", "id");
CREATE INDEX "contact_opted_out" on "contact" ("org_id", "id") where "opt_out" is not null;
CREATE INDEX "contact_org" on "contact" ("org_id", "created_at");

CREATE TABLE "contact_field" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "label" text not null,
  "kind" text not null,
  "options" text not null
) strict;
CREATE INDEX "contact_field_org" on "contact_field" ("org_id", "id");

CREATE TABLE "contact_identity" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "kind" text not null,
  "match_key" text not null,
  "value" text not null,
  "contact_id" text not null references "contact" ("id") on delete cascade,
  "seen_at" text not null,
  constraint "contact_identity_pk" primary key ("org_id", "kind", "match_key")
) strict;
CREATE INDEX "contact_identity_contact" on "contact_identity" ("contact_id");

CREATE TABLE "contact_import" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "file" text not null,
  "author_name" text not null,
  "state" text not null,
  "request" text,
  "row_count" integer not null,
  "place" integer default 0 not null,
  "done" integer default 0 not null,
  "created" integer default 0 not null,
  "updated" integer default 0 not null,
  "unchanged" integer default 0 not null,
  "refused" integer default 0 not null,
  "faults" text not null,
  "created_at" text not null,
  "announced_at" text not null,
  "ended_at" text
) strict;
CREATE INDEX "contact_import_org" on "contact_import" ("org_id", "id");

CREATE VIRTUAL TABLE contact_index using fts5(
  terms,
  content='',
  detail=none,
  tokenize='ascii'
);

CREATE TABLE 'contact_index_config'(
  k PRIMARY KEY,
  v
) WITHOUT ROWID;

CREATE TABLE 'contact_index_data'(
  id INTEGER PRIMARY KEY,
  block BLOB
);

CREATE TABLE 'contact_index_docsize'(
  id INTEGER PRIMARY KEY,
  sz BLOB
);

CREATE TABLE 'contact_index_idx'(
  segid,
  term,
  pgno,
  PRIMARY KEY(segid, term)
) WITHOUT ROWID;

CREATE TABLE "contact_merge" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "contact_id" text not null references "contact" ("id") on delete cascade,
  "name" text not null,
  "by_name" text not null,
  "merged_at" text not null,
  "undo_until" text not null,
  "moved" text
) strict;
CREATE INDEX "contact_merge_contact" on "contact_merge" ("contact_id", "id");
CREATE INDEX "contact_merge_org" on "contact_merge" ("org_id", "id");
CREATE INDEX "contact_merge_over" on "contact_merge" ("undo_until");

CREATE TABLE "contact_merge_message" (
  "merge_id" text not null references "contact_merge" ("id") on delete cascade,
  "message_id" text not null,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "conversation_id" text not null,
  constraint "contact_merge_message_pk" primary key ("merge_id", "message_id")
) strict;
CREATE INDEX "contact_merge_message_org" on "contact_merge_message" ("org_id");

CREATE TABLE "contact_tag" (
  "contact_id" text not null references "contact" ("id") on delete cascade,
  "tag_id" text not null references "tag" ("id") on delete cascade,
  "org_id" text not null,
  constraint "contact_tag_pk" primary key ("contact_id", "tag_id")
) strict;
CREATE INDEX "contact_tag_tag" on "contact_tag" ("org_id", "tag_id", "contact_id");

CREATE TABLE "contact_value" (
  "contact_id" text not null references "contact" ("id") on delete cascade,
  "field_id" text not null,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "value" text not null,
  constraint "contact_value_pk" primary key ("contact_id", "field_id")
) strict;
CREATE INDEX "contact_value_field" on "contact_value" ("org_id", "field_id");

CREATE TABLE "contact_words" (
  "seq" integer primary key,
  "contact_id" text not null references "contact" ("id") on delete cascade,
  "org_id" text not null,
  "words" text not null,
  "numbers" text not null,
  "terms" text not null
) strict;
CREATE TRIGGER contact_index_delete after delete on contact_words
    begin
      insert into contact_index (contact_index, rowid, terms) values ('delete', old.seq, old.terms);
    end;
CREATE TRIGGER contact_index_insert after insert on contact_words
    begin
      insert into contact_index (rowid, terms) values (new.seq, new.terms);
    end;
CREATE INDEX "contact_words_contact" on "contact_words" ("contact_id", "words", "numbers");

CREATE TABLE "content_access" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "role" text not null,
  "tag_id" text not null references "tag" ("id") on delete cascade,
  "granted_at" text not null,
  constraint "content_access_pk" primary key ("org_id", "role", "tag_id")
) strict;
CREATE INDEX "content_access_tag" on "content_access" ("tag_id");

CREATE TABLE "content_access_setting" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "conversations" integer not null,
  "updated_at" text not null,
  "teams" integer default 0 not null
) strict;

CREATE TABLE "conversation" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "contact_id" text not null references "contact" ("id") on delete cascade,
  "connection_id" text not null,
  "kind" text default 'cloud' not null,
  "control" text not null,
  "assignee_id" text,
  "archived" integer default 0 not null,
  "unread" integer default 0 not null,
  "window_closes_at" text,
  "last_activity_at" text not null,
  "last_message_seq" integer,
  "last_message_at" text,
  "last_message_text" text,
  "last_message_type" text,
  "last_message_direction" text,
  "last_message_status" text,
  "last_inbound_wamid" text,
  "last_human_event_at" text,
  "created_at" text not null,
  "team_id" text,
  "control_before_archive" text,
  "free_until" text,
  "taken_by" text,
  constraint "conversation_once" unique ("contact_id", "connection_id")
) strict;
CREATE INDEX "conversation_assignee" on "conversation"
    ("org_id", "assignee_id", "kind", "archived", "last_activity_at" desc, "id" desc);
CREATE INDEX "conversation_closing" on "conversation"
    ("org_id", "kind", "archived", "window_closes_at", "id") where "window_closes_at" is not null;
CREATE INDEX "conversation_failed" on "conversation"
      ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "last_message_status" = 'failed';
CREATE INDEX conversation_list on conversation (org_id, kind, archived, last_activity_at desc, id desc, contact_id);
CREATE INDEX "conversation_meta_agent" on "conversation"
    ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "control" = 'metaAgent';
CREATE INDEX "conversation_needed" on "conversation"
      ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "control" = 'needsHuman';
CREATE INDEX "conversation_number" on "conversation" ("connection_id", "archived", "last_activity_at" desc, "id" desc);
CREATE INDEX "conversation_team" on "conversation" ("org_id", "team_id") where "team_id" is not null;
CREATE INDEX "conversation_unread" on "conversation"
      ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "unread" > 0;

CREATE TABLE "conversation_mute" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "user_id" text not null references "user" ("id") on delete cascade,
  "conversation_id" text not null references "conversation" ("id") on delete cascade,
  "created_at" text not null,
  constraint "conversation_mute_pk" primary key ("org_id", "user_id", "conversation_id")
) strict;
CREATE INDEX "conversation_mute_conversation" on "conversation_mute" ("conversation_id");
CREATE INDEX "conversation_mute_user" on "conversation_mute" ("user_id");

CREATE TABLE "erasure" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "reason" text not null,
  "author_id" text not null,
  "author_name" text not null,
  "requested_at" text not null,
  "finished_at" text,
  "number_hash" text not null,
  "contact_id" text,
  "target" text,
  "step" integer not null,
  "place" text not null,
  "messages" integer not null
) strict;
CREATE INDEX "erasure_number" on "erasure" ("org_id", "number_hash");
CREATE INDEX "erasure_org" on "erasure" ("org_id", "id");

CREATE TABLE "event" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "seq" integer not null,
  "type" text not null,
  "at" text not null,
  "number" text,
  "audience" text,
  "data" text not null,
  "conversation_id" text,
  "actor" text,
  "actor_name" text,
  constraint "event_pk" primary key ("org_id", "seq")
) strict;
CREATE INDEX "event_age" on "event" ("at");
CREATE INDEX event_passing on event (at) where type in ('presence', 'draft', 'flowPresence');

CREATE TABLE "file_use" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "bytes" integer not null,
  "noticed_percent" integer default 0 not null
) strict;

CREATE TABLE "flow" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text not null,
  "position" integer not null,
  "is_enabled" integer not null,
  "graph" text not null,
  "triggers" text not null,
  "revision" integer not null,
  "published_revision" integer,
  "version" integer,
  "edited_at" text not null,
  "editor_id" text not null,
  "editor_name" text not null,
  "created_at" text not null,
  "deleted_at" text,
  "limited_at" text
) strict;
CREATE INDEX "flow_order" on "flow" ("org_id", "position", "id");

CREATE TABLE "flow_day" (
  "flow_id" text not null references "flow" ("id") on delete cascade,
  "day" text not null,
  "org_id" text not null,
  "started" integer not null,
  "finished" integer not null,
  "handed_off" integer not null,
  constraint "flow_day_key" primary key ("flow_id", "day")
) strict;

CREATE TABLE "flow_hook" (
  "flow_id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "secret_hash" text not null,
  "sealed" text not null,
  "changed_at" text not null,
  "changed_by" text not null,
  "calls" integer default 0 not null,
  "minute_ends_at" text,
  "called_at" text
) strict;
CREATE INDEX "flow_hook_org" on "flow_hook" ("org_id");
CREATE UNIQUE INDEX "flow_hook_secret" on "flow_hook" ("secret_hash");

CREATE TABLE "flow_presence" (
  "flow_id" text not null references "flow" ("id") on delete cascade,
  "person_id" text not null,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text not null,
  "looks_until" text not null,
  "writes_until" text,
  constraint "flow_presence_pk" primary key ("flow_id", "person_id")
) strict;
CREATE INDEX "flow_presence_age" on "flow_presence" ("looks_until");

CREATE TABLE "flow_replay" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "flow_id" text not null,
  "graph" text not null,
  "since" text not null,
  "state" text not null,
  "total" integer not null,
  "done" integer not null,
  "after" text not null,
  "started_at" text not null,
  "started_by" text not null,
  "ended_at" text,
  "trigger" text
) strict;
CREATE INDEX "flow_replay_flow" on "flow_replay" ("org_id", "flow_id", "id");
CREATE INDEX "flow_replay_old" on "flow_replay" ("started_at");

CREATE TABLE "flow_replayed" (
  "replay_id" text not null references "flow_replay" ("id") on delete cascade,
  "place" integer not null,
  "org_id" text not null,
  "session_id" text not null,
  "conversation_id" text not null,
  "verdict" text not null,
  constraint "flow_replayed_key" primary key ("replay_id", "place")
) strict;

CREATE TABLE "flow_secret" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text not null,
  "host" text not null,
  "sealed" text not null,
  "changed_at" text not null,
  "changed_by" text not null,
  constraint "flow_secret_key" primary key ("org_id", "name")
) strict;

CREATE TABLE "flow_session" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "flow_id" text not null,
  "version" integer not null,
  "contact_id" text not null,
  "conversation_id" text not null,
  "trigger" text not null,
  "state" text not null,
  "reason" text,
  "place" text not null,
  "steps" integer not null,
  "wakes_at" text,
  "started_at" text not null,
  "moved_at" text not null,
  "ended_at" text,
  "test_id" text,
  "client_key" text
) strict;
CREATE UNIQUE INDEX "flow_session_client_key" on "flow_session" ("flow_id", "client_key") where "client_key" is not null;
CREATE INDEX "flow_session_contact" on "flow_session" ("org_id", "contact_id", "started_at");
CREATE INDEX "flow_session_flow" on "flow_session" ("org_id", "flow_id", "id");
CREATE UNIQUE INDEX "flow_session_live" on "flow_session" ("org_id", "contact_id") where "ended_at" is null;
CREATE INDEX "flow_session_of_flow_live" on "flow_session" ("org_id", "flow_id", "id") where "ended_at" is null;
CREATE INDEX "flow_session_old" on "flow_session" ("ended_at");
CREATE INDEX "flow_session_test" on "flow_session" ("test_id") where "test_id" is not null;
CREATE INDEX "flow_session_trigger" on "flow_session" ("org_id", "flow_id", "trigger", "id");

CREATE TABLE "flow_settings" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "restart_words" text not null,
  "leave_words" text not null,
  "person_words" text not null,
  "expires_after_hours" integer not null,
  "expired_text" text,
  "closed_text" text,
  "updated_at" text not null
) strict;

CREATE TABLE "flow_step" (
  "session_id" text not null references "flow_session" ("id") on delete cascade,
  "place" integer not null,
  "org_id" text not null,
  "node_id" text not null,
  "at" text not null,
  "input" text,
  "output" text,
  "why" text,
  "changes" text,
  "message_id" text,
  "call" text,
  constraint "flow_step_key" primary key ("session_id", "place")
) strict;
CREATE INDEX "flow_step_message" on "flow_step" ("message_id");

CREATE TABLE "flow_test" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "flow_id" text not null,
  "code" text not null,
  "name" text not null,
  "graph" text not null,
  "author_id" text not null,
  "author_name" text not null,
  "created_at" text not null,
  "ends_at" text not null
) strict;
CREATE INDEX "flow_test_author" on "flow_test" ("org_id", "flow_id", "author_id");
CREATE INDEX "flow_test_code" on "flow_test" ("org_id", "code");
CREATE INDEX "flow_test_old" on "flow_test" ("created_at");

CREATE TABLE "flow_version" (
  "flow_id" text not null references "flow" ("id") on delete cascade,
  "version" integer not null,
  "org_id" text not null,
  "name" text not null,
  "graph" text not null,
  "triggers" text not null,
  "note" text,
  "published_at" text not null,
  "author_name" text not null,
  constraint "flow_version_key" primary key ("flow_id", "version")
) strict;

CREATE TABLE "former_slug" (
  "slug" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade
) strict;
CREATE INDEX "former_slug_org" on "former_slug" ("org_id");

CREATE TABLE "history_entry" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "kind" text not null,
  "author_id" text not null,
  "author_name" text not null,
  "is_send" integer not null,
  "title" text not null,
  "summary" text not null,
  "search_text" text not null,
  "payload" text not null,
  "client_key" text,
  "created_at" text not null,
  "hidden_at" text
) strict;
CREATE INDEX "history_entry_key" on "history_entry" ("org_id", "author_id", "client_key") where "client_key" is not null;
CREATE INDEX "history_entry_list" on "history_entry" ("org_id", "kind", "id") where "hidden_at" is null;

CREATE TABLE "idempotency" (
  "org_id" text not null,
  "caller" text not null,
  "key" text not null,
  "endpoint" text not null,
  "request_hash" text not null,
  "status" integer,
  "body" text,
  "created_at" text not null,
  "owner" text,
  constraint "idempotency_pk" primary key ("org_id", "caller", "key")
) strict;
CREATE INDEX "idempotency_age" on "idempotency" ("created_at");

CREATE TABLE "installation" (
  "id" integer primary key,
  "admin_user_id" text,
  "first_org_user_id" text,
  "created_at" text not null
) strict;

CREATE TABLE "invitation" (
  "id" text primary key,
  "organizationId" text not null references "organization" ("id") on delete cascade,
  "email" text not null,
  "role" text,
  "teamId" text,
  "status" text not null,
  "expiresAt" text not null,
  "createdAt" text not null,
  "inviterId" text not null references "user" ("id") on delete cascade
) strict;
CREATE INDEX "invitation_email_idx" on "invitation" ("email");
CREATE INDEX "invitation_end" on "invitation" ("expiresAt");
CREATE INDEX "invitation_organizationId_idx" on "invitation" ("organizationId");

CREATE TABLE "invitation_renewal" (
  "invitation_id" text primary key references "invitation" ("id") on delete cascade,
  "asked_at" text not null
) strict;

CREATE TABLE "job" (
  "seq" integer primary key autoincrement,
  "org_id" text not null,
  "kind" text not null,
  "lane" integer not null,
  "queue" text not null,
  "order_key" text,
  "pace_key" text not null,
  "unique_key" text,
  "payload" text not null,
  "state" text not null,
  "blocked" integer not null,
  "attempts" integer not null,
  "due_at" text not null,
  "owner" text,
  "reason" text,
  "added_at" text not null,
  "finished_at" text
) strict;
CREATE INDEX "job_due" on "job" ("due_at", "seq") where state in ('scheduled', 'retrying');
CREATE INDEX "job_finished" on "job" ("finished_at") where finished_at is not null;
CREATE INDEX "job_line" on "job" ("org_id", "order_key", "lane", "seq") where order_key is not null and state in ('waiting', 'running', 'retrying');
CREATE INDEX "job_org" on "job" ("org_id", "kind");
CREATE INDEX "job_ready" on "job" ("queue", "due_at", "seq") where state = 'waiting' and blocked = 0;
CREATE UNIQUE INDEX "job_running_key" on "job" ("org_id", "order_key") where order_key is not null and state = 'running';
CREATE INDEX "job_unfinished" on "job" ("state", "kind", "due_at") where state in ('scheduled', 'waiting', 'running', 'retrying', 'parked');
CREATE UNIQUE INDEX "job_unique" on "job" ("org_id", "kind", "unique_key") where unique_key is not null and state in ('scheduled', 'waiting', 'running', 'retrying', 'parked');

CREATE TABLE "job_lease" (
  "name" text primary key,
  "owner" text not null
) strict;

CREATE TABLE "job_pace" (
  "org_id" text not null,
  "pace_key" text not null,
  "per_second" real,
  "free_at" text not null,
  constraint "job_pace_pk" primary key ("org_id", "pace_key")
) strict;

CREATE TABLE "job_worker" (
  "id" text primary key,
  "place" text,
  "pid" integer not null,
  "seen_at" text not null
) strict;

CREATE TABLE "media" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "message_id" text not null unique references "message" ("id") on delete cascade,
  "provider_id" text not null,
  "mime" text not null,
  "name" text,
  "size" integer,
  "sha256" text,
  "state" text not null,
  "path" text,
  "error" text,
  "created_at" text not null,
  "width" integer,
  "height" integer
) strict;
CREATE TRIGGER media_is_counted after insert on media when (case when new.path is null then 0 else coalesce(new.size, 0) end) > 0
   begin insert into file_use (org_id, bytes) values (new.org_id, (case when new.path is null then 0 else coalesce(new.size, 0) end))
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes; end;
CREATE TRIGGER media_is_counted_again after update of path, size on media when (case when new.path is null then 0 else coalesce(new.size, 0) end) <> (case when old.path is null then 0 else coalesce(old.size, 0) end)
   begin insert into file_use (org_id, bytes) values (new.org_id, (case when new.path is null then 0 else coalesce(new.size, 0) end) - (case when old.path is null then 0 else coalesce(old.size, 0) end))
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes; end;
CREATE TRIGGER media_is_counted_no_more after delete on media when (case when old.path is null then 0 else coalesce(old.size, 0) end) > 0
   begin update file_use set bytes = bytes - (case when old.path is null then 0 else coalesce(old.size, 0) end) where org_id = old.org_id; end;

CREATE TABLE "member" (
  "id" text primary key,
  "organizationId" text not null references "organization" ("id") on delete cascade,
  "userId" text not null references "user" ("id") on delete cascade,
  "role" text not null,
  "createdAt" text not null,
  "sort_name" text default '' not null
) strict;
CREATE INDEX "member_by_name" on "member" ("organizationId", "sort_name", "userId");
CREATE TRIGGER member_has_name after insert on member begin
     update member set sort_name = lower(coalesce((select name from "user" where id = new."userId"), sort_name))
       where id = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'á', 'a'), 'Á', 'a'), 'à', 'a'), 'À', 'a'), 'â', 'a'), 'Â', 'a'), 'ã', 'a'), 'Ã', 'a'), 'ä', 'a') where id = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'Ä', 'a'), 'å', 'a'), 'Å', 'a'), 'é', 'e'), 'É', 'e'), 'è', 'e'), 'È', 'e'), 'ê', 'e'), 'Ê', 'e') where id = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'ë', 'e'), 'Ë', 'e'), 'í', 'i'), 'Í', 'i'), 'ì', 'i'), 'Ì', 'i'), 'î', 'i'), 'Î', 'i'), 'ï', 'i') where id = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'Ï', 'i'), 'ó', 'o'), 'Ó', 'o'), 'ò', 'o'), 'Ò', 'o'), 'ô', 'o'), 'Ô', 'o'), 'õ', 'o'), 'Õ', 'o') where id = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'ö', 'o'), 'Ö', 'o'), 'ú', 'u'), 'Ú', 'u'), 'ù', 'u'), 'Ù', 'u'), 'û', 'u'), 'Û', 'u'), 'ü', 'u') where id = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(sort_name, 'Ü', 'u'), 'ý', 'y'), 'Ý', 'y'), 'ñ', 'n'), 'Ñ', 'n'), 'ç', 'c'), 'Ç', 'c') where id = new.id;
   end;
CREATE TRIGGER member_keeps_owner before update of role on member
   when new.role <> 'owner' and old.role = 'owner' and not exists (
    select 1 from member other join "user" person on person.id = other."userId"
    where other."organizationId" = old."organizationId" and other.id <> old.id
      and other.role = 'owner' and coalesce(person.banned, 0) = 0)
   begin select raise(abort, 'LAST_OWNER'); end;
CREATE TRIGGER member_keeps_owner_on_delete before delete on member
   when exists (select 1 from organization where id = old."organizationId" and deleted_at is null) and old.role = 'owner' and not exists (
    select 1 from member other join "user" person on person.id = other."userId"
    where other."organizationId" = old."organizationId" and other.id <> old.id
      and other.role = 'owner' and coalesce(person.banned, 0) = 0)
   begin select raise(abort, 'LAST_OWNER'); end;
CREATE UNIQUE INDEX "member_once" on "member" ("userId", "organizationId");
CREATE INDEX "member_organizationId_idx" on "member" ("organizationId");
CREATE INDEX "member_userId_idx" on "member" ("userId");

CREATE TABLE "message" (
  "seq" integer primary key autoincrement,
  "id" text not null unique,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "conversation_id" text not null references "conversation" ("id") on delete cascade,
  "wamid" text,
  "direction" text not null,
  "type" text not null,
  "text" text not null,
  "content" text,
  "at" text not null,
  "status" text not null,
  "sent_at" text,
  "delivered_at" text,
  "read_at" text,
  "failed_at" text,
  "error_code" text,
  "error_detail" text,
  "unconfirmed" integer default 0 not null,
  "reply_to_wamid" text,
  "author_kind" text,
  "author_id" text,
  "author_name" text,
  "client_key" text,
  "edited_at" text,
  "revoked_at" text,
  "outbound" text
) strict;
CREATE INDEX message_activity on message (conversation_id, at desc, seq desc) where type = 'activity';
CREATE INDEX message_audio on message (conversation_id, at desc, seq desc) where type in ('audio', 'voice');
CREATE UNIQUE INDEX "message_client_key" on "message" ("org_id", "author_id", "client_key") where "client_key" is not null;
CREATE INDEX message_documents on message (conversation_id, at desc, seq desc) where type = 'document';
CREATE INDEX message_failed on message (org_id, seq desc) where status = 'failed';
CREATE INDEX message_failed_kinds on message (org_id, type, seq desc) where status = 'failed';
CREATE TRIGGER message_index_delete after delete on message
    when old.seq <= (select seq from search_place where name = 'message') begin
      delete from message_index where rowid = old.seq;
    end;
CREATE TRIGGER message_index_update after update of text, revoked_at on message
    when old.seq <= (select seq from search_place where name = 'message')
      and (new.text is not old.text or new.revoked_at is not old.revoked_at) begin
      delete from message_index where rowid = old.seq;
      insert into search_pending (seq) values (new.seq) on conflict do nothing;
    end;
CREATE INDEX message_kinds on message (org_id, type, seq desc) where type not in ('text', 'activity');
CREATE INDEX message_links on message (conversation_id, at desc, seq desc) where text like '%http%://%';
CREATE INDEX message_notes on message (conversation_id, at desc, seq desc) where type = 'note';
CREATE TRIGGER message_notes after insert on message when new.type = 'note' begin insert into row_use (org_id, notes) values (new.org_id, 1)
     on conflict (org_id) do update set notes = row_use.notes + 1; end;
CREATE TRIGGER message_notes_less after delete on message when old.type = 'note' begin update row_use set notes = notes - 1 where org_id = old.org_id; end;
CREATE INDEX "message_org" on "message" ("org_id", "seq" desc);
CREATE INDEX message_pictures on message (conversation_id, at desc, seq desc) where type in ('image', 'video');
CREATE INDEX "message_thread" on "message" ("conversation_id", "at" desc, "seq" desc);
CREATE UNIQUE INDEX "message_wamid" on "message" ("org_id", "wamid");

CREATE TABLE "message_attempt" (
  "seq" integer primary key autoincrement,
  "org_id" text not null,
  "message_id" text not null references "message" ("id") on delete cascade,
  "callback" text not null unique,
  "started_at" text not null,
  "ended_at" text,
  "outcome" text,
  "http_status" integer,
  "error_code" text,
  "error_detail" text,
  "wamid" text
) strict;
CREATE INDEX "message_attempt_message" on "message_attempt" ("message_id");

CREATE VIRTUAL TABLE message_index using fts5(
  terms,
  content='',
  contentless_delete=1,
  detail=none,
  tokenize='ascii'
);

CREATE TABLE 'message_index_config'(
  k PRIMARY KEY,
  v
) WITHOUT ROWID;

CREATE TABLE 'message_index_data'(
  id INTEGER PRIMARY KEY,
  block BLOB
);

CREATE TABLE 'message_index_docsize'(
  id INTEGER PRIMARY KEY,
  sz BLOB,
  origin INTEGER
);

CREATE TABLE 'message_index_idx'(
  segid,
  term,
  pgno,
  PRIMARY KEY(segid, term)
) WITHOUT ROWID;

CREATE TABLE "notification" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "user_id" text not null references "user" ("id") on delete cascade,
  "redirect" text,
  "created_at" text not null,
  "viewed_at" text,
  "words" text,
  "conversation_id" text,
  "count" integer default 1 not null,
  "place" text default '' not null,
  "old_title" text,
  "old_message" text
) strict;
CREATE INDEX "notification_age" on "notification" ("created_at");
CREATE UNIQUE INDEX "notification_conversation" on "notification" ("org_id", "conversation_id", "user_id") where viewed_at is null and conversation_id is not null;
CREATE INDEX "notification_list" on "notification" ("org_id", "user_id", "place");
CREATE INDEX "notification_unread" on "notification" ("org_id", "user_id", "place") where "viewed_at" is null;

CREATE TABLE "notification_mute" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "user_id" text not null references "user" ("id") on delete cascade,
  "created_at" text not null,
  constraint "notification_mute_pk" primary key ("org_id", "user_id")
) strict;
CREATE INDEX "notification_mute_user" on "notification_mute" ("user_id");

CREATE TABLE "notification_setting" (
  "user_id" text primary key references "user" ("id") on delete cascade,
  "toast" integer not null,
  "sound" integer not null,
  "desktop" integer not null,
  "push" integer not null,
  "quiet_from" text,
  "quiet_to" text,
  "quiet_zone" text,
  "updated_at" text not null
) strict;

CREATE TABLE "number_standing" (
  "connection_id" text primary key references "wa_connection" ("id") on delete cascade,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "read_at" text not null,
  "facts" text not null,
  "picture" text
) strict;
CREATE INDEX "number_standing_org" on "number_standing" ("org_id");

CREATE TABLE "opened_person" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "contact_id" text primary key references "contact" ("id") on delete cascade,
  "opened_at" text not null
) strict;
CREATE INDEX "opened_person_lately" on "opened_person" ("org_id", "opened_at");

CREATE TABLE "opt_out_mark" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "hash" text not null,
  "erasure_id" text not null references "erasure" ("id") on delete cascade,
  "at" text not null,
  "source" text not null,
  constraint "opt_out_mark_pk" primary key ("org_id", "hash")
) strict;
CREATE INDEX "opt_out_mark_erasure" on "opt_out_mark" ("erasure_id");

CREATE TABLE "opt_out_settings" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "stop_words" text not null,
  "resume_words" text not null,
  "confirms" integer not null,
  "stop_text" text,
  "resume_text" text,
  "updated_at" text not null
) strict;

CREATE TABLE "org_counter" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "event_seq" integer not null
) strict;

CREATE TABLE "org_deletion" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "requested_by" text not null,
  "requested_at" text not null,
  "due_at" text not null
) strict;

CREATE TABLE "org_settings" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "time_zone" text,
  "language" text,
  "country" text,
  "updated_at" text not null,
  "second_factor_required" integer default 0 not null,
  "business_hours" text,
  "retention_months" integer,
  "retention_ran_at" text,
  "retention_deleted" integer,
  "files_limit_bytes" integer
) strict;

CREATE TABLE "organization" (
  "id" text primary key,
  "name" text not null,
  "slug" text not null unique,
  "logo" text,
  "createdAt" text not null,
  "metadata" text,
  "deleted_at" text
) strict;
CREATE TRIGGER organization_keeps_slug after update of slug on organization when new.slug <> old.slug and new.deleted_at is null
   begin delete from former_slug where slug in (old.slug, new.slug);
    insert into former_slug (slug, org_id) values (old.slug, old.id); end;
CREATE TRIGGER organization_slug_is_free before insert on organization when exists (select 1 from former_slug where slug = new.slug and org_id <> new.id)
   begin select raise(abort, 'SLUG_TAKEN'); end;
CREATE TRIGGER organization_slug_stays_free before update of slug on organization when exists (select 1 from former_slug where slug = new.slug and org_id <> new.id)
   begin select raise(abort, 'SLUG_TAKEN'); end;

CREATE TABLE "outgoing_webhook" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text not null,
  "url" text not null,
  "sealed" text not null,
  "active" integer not null,
  "stopped_for" text,
  "created_at" text not null,
  "changed_at" text not null,
  "changed_by" text not null,
  constraint "outgoing_webhook_key" primary key ("org_id", "name")
) strict;

CREATE TABLE "pending_effect" (
  "seq" integer primary key autoincrement,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "wamid" text not null,
  "effect" text not null,
  "received_at" text not null
) strict;
CREATE INDEX "pending_effect_age" on "pending_effect" ("received_at");
CREATE INDEX "pending_effect_wamid" on "pending_effect" ("org_id", "wamid");

CREATE TABLE "push_key" (
  "id" text primary key,
  "public_key" text not null,
  "private_key" text not null,
  "created_at" text not null
) strict;

CREATE TABLE "push_subscription" (
  "id" text primary key,
  "user_id" text not null references "user" ("id") on delete cascade,
  "session_id" text not null references "session" ("id") on delete cascade,
  "endpoint" text not null unique,
  "p256dh" text not null,
  "auth" text not null,
  "created_at" text not null,
  "language" text default 'es' not null
) strict;
CREATE INDEX "push_subscription_session" on "push_subscription" ("session_id");
CREATE INDEX "push_subscription_user" on "push_subscription" ("user_id", "id");

CREATE TABLE "rate_card" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "currency" text not null,
  "valid_from" text not null,
  "rates" text not null,
  "updated_at" text not null
) strict;

CREATE TABLE "reaction" (
  "message_id" text not null references "message" ("id") on delete cascade,
  "org_id" text not null,
  "by" text not null,
  "emoji" text not null,
  "at" text not null,
  constraint "reaction_pk" primary key ("message_id", "by")
) strict;

CREATE TABLE "ready_answer" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "author_id" text not null,
  "shared" integer not null,
  "shortcut" text not null,
  "title" text not null,
  "text" text not null
) strict;
CREATE INDEX "ready_answer_had" on "ready_answer" ("org_id", "shared", "author_id");

CREATE TABLE "ready_answer_file" (
  "answer_id" text primary key references "ready_answer" ("id") on delete cascade,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "id" text not null,
  "kind" text not null,
  "mime" text not null,
  "name" text not null,
  "size" integer not null,
  "sha256" text not null,
  "path" text not null,
  "brought_by" text
) strict;
CREATE INDEX ready_answer_file_brought on ready_answer_file (brought_by) where brought_by is not null;
CREATE TRIGGER ready_answer_file_is_counted after insert on ready_answer_file when (case when new.path is null then 0 else coalesce(new.size, 0) end) > 0
   begin insert into file_use (org_id, bytes) values (new.org_id, (case when new.path is null then 0 else coalesce(new.size, 0) end))
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes; end;
CREATE TRIGGER ready_answer_file_is_counted_again after update of path, size on ready_answer_file when (case when new.path is null then 0 else coalesce(new.size, 0) end) <> (case when old.path is null then 0 else coalesce(old.size, 0) end)
   begin insert into file_use (org_id, bytes) values (new.org_id, (case when new.path is null then 0 else coalesce(new.size, 0) end) - (case when old.path is null then 0 else coalesce(old.size, 0) end))
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes; end;
CREATE TRIGGER ready_answer_file_is_counted_no_more after delete on ready_answer_file when (case when old.path is null then 0 else coalesce(old.size, 0) end) > 0
   begin update file_use set bytes = bytes - (case when old.path is null then 0 else coalesce(old.size, 0) end) where org_id = old.org_id; end;
CREATE INDEX "ready_answer_file_org" on "ready_answer_file" ("org_id", "id");

CREATE TABLE "received_file" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "path" text not null,
  "created_at" text not null,
  "size" integer,
  "brought_by" text
) strict;
CREATE INDEX "received_file_age" on "received_file" ("created_at");
CREATE TRIGGER received_file_is_counted after insert on received_file when (case when new.path is null then 0 else coalesce(new.size, 0) end) > 0
   begin insert into file_use (org_id, bytes) values (new.org_id, (case when new.path is null then 0 else coalesce(new.size, 0) end))
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes; end;
CREATE TRIGGER received_file_is_counted_again after update of path, size on received_file when (case when new.path is null then 0 else coalesce(new.size, 0) end) <> (case when old.path is null then 0 else coalesce(old.size, 0) end)
   begin insert into file_use (org_id, bytes) values (new.org_id, (case when new.path is null then 0 else coalesce(new.size, 0) end) - (case when old.path is null then 0 else coalesce(old.size, 0) end))
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes; end;
CREATE TRIGGER received_file_is_counted_no_more after delete on received_file when (case when old.path is null then 0 else coalesce(old.size, 0) end) > 0
   begin update file_use set bytes = bytes - (case when old.path is null then 0 else coalesce(old.size, 0) end) where org_id = old.org_id; end;
CREATE INDEX "received_file_org" on "received_file" ("org_id");

CREATE TABLE "row_use" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "contacts" integer default 0 not null,
  "notes" integer default 0 not null
) strict;

CREATE TABLE "sandbox_customer" (
  "org_id" text not null references "sandbox_number" ("org_id") on delete cascade,
  "wa_id" text not null,
  "bsuid" text not null,
  "name" text not null,
  "username" text,
  "online" integer not null,
  "blocks_us" integer not null,
  "blocked_by_us" integer not null,
  "reads" integer,
  "window_from_ms" integer,
  "ad_at_ms" integer,
  "entry_until_ms" integer,
  "typing_until_ms" integer,
  "seen_ms" integer not null,
  "with_agent" integer default 0 not null,
  constraint "sandbox_customer_pk" primary key ("org_id", "wa_id"),
  constraint "sandbox_customer_bsuid" unique ("org_id", "bsuid")
) strict;
CREATE INDEX "sandbox_customer_seen" on "sandbox_customer" ("org_id", "seen_ms");

CREATE TABLE "sandbox_fault" (
  "seq" integer primary key autoincrement,
  "org_id" text not null references "sandbox_number" ("org_id") on delete cascade,
  "code" text not null,
  "mode" text not null,
  "remaining" integer not null
) strict;
CREATE INDEX "sandbox_fault_org" on "sandbox_fault" ("org_id", "seq");

CREATE TABLE "sandbox_media" (
  "id" text primary key,
  "org_id" text not null references "sandbox_number" ("org_id") on delete cascade,
  "mime" text not null,
  "name" text,
  "size" integer not null,
  "sha256" text not null,
  "expires_ms" integer not null,
  "bytes" blob not null
) strict;
CREATE INDEX "sandbox_media_age" on "sandbox_media" ("expires_ms");
CREATE INDEX "sandbox_media_org" on "sandbox_media" ("org_id");

CREATE TABLE "sandbox_message" (
  "seq" integer primary key autoincrement,
  "org_id" text not null references "sandbox_number" ("org_id") on delete cascade,
  "wamid" text not null unique,
  "direction" text not null,
  "wa_id" text not null,
  "recipient" text,
  "type" text not null,
  "body" text not null,
  "callback" text,
  "status" text not null,
  "at_ms" integer not null
) strict;
CREATE INDEX "sandbox_message_age" on "sandbox_message" ("at_ms");
CREATE INDEX "sandbox_message_customer" on "sandbox_message" ("org_id", "wa_id", "direction", "seq");
CREATE INDEX "sandbox_message_list" on "sandbox_message" ("org_id", "direction", "seq");

CREATE TABLE "sandbox_number" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "phone_number_id" text not null unique,
  "waba_id" text not null unique,
  "app_id" text not null unique,
  "phone" text not null unique,
  "verified_name" text not null,
  "token_hash" text not null unique,
  "app_secret_sealed" text not null,
  "connection_id" text,
  "subscribed" integer not null,
  "behaviour" text not null,
  "aged_ms" integer not null,
  "profile" text default '{}' not null,
  "signup_code_hash" text,
  "signup_code_ms" integer
) strict;

CREATE TABLE "sandbox_template" (
  "id" text primary key,
  "org_id" text not null references "sandbox_number" ("org_id") on delete cascade,
  "name" text not null,
  "language" text not null,
  "status" text not null,
  "category" text not null,
  "previous_category" text,
  "parameter_format" text not null,
  "components" text not null,
  "quality" text not null,
  "rejected_reason" text not null,
  "ttl_seconds" integer,
  "pauses" integer not null,
  "edits_ms" text not null,
  "review_ms" integer,
  "deleted_ms" integer,
  "created_ms" integer not null
) strict;
CREATE INDEX "sandbox_template_org" on "sandbox_template" ("org_id", "name", "language");

CREATE TABLE "sandbox_upload" (
  "id" text primary key,
  "org_id" text not null references "sandbox_number" ("org_id") on delete cascade,
  "mime" text not null,
  "size" integer not null,
  "handle" text,
  "created_ms" integer not null,
  "bytes" blob
) strict;
CREATE INDEX "sandbox_upload_handle" on "sandbox_upload" ("org_id", "handle");

CREATE TABLE "saved_view" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "author_id" text not null,
  "shared" integer not null,
  "name" text not null,
  "filter" text not null
) strict;
CREATE INDEX "saved_view_had" on "saved_view" ("org_id", "shared", "author_id");

CREATE TABLE "scheduled_message" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "conversation_id" text not null references "conversation" ("id") on delete cascade,
  "author_kind" text not null,
  "author_id" text not null,
  "author_name" text not null,
  "text" text not null,
  "due_at" text not null,
  "ends_on_reply" integer not null,
  "held_code" text,
  "created_at" text not null
) strict;
CREATE INDEX "scheduled_message_author" on "scheduled_message" ("org_id", "author_id");
CREATE INDEX "scheduled_message_chat" on "scheduled_message" ("conversation_id", "due_at");
CREATE INDEX scheduled_message_unless_answered on scheduled_message (conversation_id)
    where ends_on_reply = 1;

CREATE TABLE "search_org" (
  "org_key" integer primary key autoincrement,
  "org_id" text not null unique references "organization" ("id") on delete cascade
) strict;

CREATE TABLE "search_outline" (
  "part" integer not null,
  "stretch" integer not null,
  "bits" blob not null,
  constraint "search_outline_pk" primary key ("part", "stretch")
) strict;

CREATE TABLE "search_pending" (
  "seq" integer primary key
) strict;

CREATE TABLE "search_place" (
  "name" text primary key,
  "seq" integer not null
) strict;

CREATE TABLE "second_factor" (
  "user_id" text primary key references "user" ("id") on delete cascade,
  "secret" text not null,
  "last_step" integer not null,
  "created_at" text not null
) strict;

CREATE TABLE "second_factor_setup" (
  "session_id" text primary key references "session" ("id") on delete cascade,
  "secret" text not null,
  "expires_at" text not null
) strict;

CREATE TABLE "session" (
  "id" text primary key,
  "expiresAt" text not null,
  "token" text not null unique,
  "createdAt" text not null,
  "updatedAt" text not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references "user" ("id") on delete cascade,
  "activeOrganizationId" text,
  "activeTeamId" text,
  "impersonatedBy" text,
  "halfSignedInBy" text,
  "ssoProviderId" text references "sso_provider" ("id") on delete set null,
  "boundOrgId" text
) strict;
CREATE INDEX "session_expiresAt_idx" on "session" ("expiresAt");
CREATE INDEX "session_sso_provider" on "session" ("ssoProviderId");
CREATE INDEX "session_userId_idx" on "session" ("userId");

CREATE TABLE "sign_in_budget" (
  "key" text primary key,
  "used" integer not null,
  "window_ends_at" text not null
) strict;
CREATE INDEX "sign_in_budget_age" on "sign_in_budget" ("window_ends_at");

CREATE TABLE "sign_in_flow" (
  "id" text primary key,
  "address_key" text not null,
  "network_key" text not null,
  "asked_at" text not null
) strict;
CREATE INDEX "sign_in_flow_address" on "sign_in_flow" ("address_key", "asked_at");
CREATE INDEX "sign_in_flow_age" on "sign_in_flow" ("asked_at");

CREATE TABLE "site_audit_entry" (
  "id" text primary key,
  "at" text not null,
  "action" text not null,
  "actor_id" text not null,
  "actor" text not null,
  "subject" text not null,
  "address" text,
  "device" text,
  "changes" text,
  "is_done" integer not null
) strict;
CREATE INDEX "site_audit_entry_at" on "site_audit_entry" ("at");

CREATE TABLE "snapshot" (
  "id" text primary key,
  "began_at" text not null,
  "ended_at" text,
  "file" text,
  "bytes" integer,
  "row_count" integer,
  "failure" text,
  "said_at" text
) strict;
CREATE INDEX "snapshot_began" on "snapshot" ("began_at");

CREATE TABLE "sso_attempt" (
  "state_hash" text primary key,
  "provider_id" text not null references "sso_provider" ("id") on delete cascade,
  "browser_hash" text not null,
  "return_to" text,
  "expires_at" text not null
) strict;
CREATE INDEX "sso_attempt_age" on "sso_attempt" ("expires_at");
CREATE INDEX "sso_attempt_provider" on "sso_attempt" ("provider_id");

CREATE TABLE "sso_demand" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "exempt_user_id" text references "user" ("id") on delete set null,
  "created_at" text not null
) strict;
CREATE INDEX "sso_demand_exempt" on "sso_demand" ("exempt_user_id");

CREATE TABLE "sso_identity" (
  "provider_id" text not null references "sso_provider" ("id") on delete cascade,
  "subject" text not null,
  "user_id" text not null references "user" ("id") on delete cascade,
  "created_at" text not null,
  constraint "sso_identity_pk" primary key ("provider_id", "subject"),
  constraint "sso_identity_user" unique ("user_id", "provider_id")
) strict;

CREATE TABLE "sso_provider" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text not null,
  "domain" text not null,
  "issuer" text not null,
  "client_id" text not null,
  "client_secret" text not null,
  "authorization_endpoint" text not null,
  "token_endpoint" text not null,
  "user_info_endpoint" text not null,
  "jwks_endpoint" text not null,
  "token_authentication" text not null,
  "email_claim" text not null,
  "name_claim" text not null,
  "is_active" integer default 0 not null,
  "role" text not null,
  "team_id" text references "team" ("id") on delete set null,
  "domain_token" text not null,
  "domain_verified_at" text,
  "created_at" text not null,
  "updated_at" text not null,
  "domain_proof" text,
  constraint "sso_provider_org_domain" unique ("org_id", "domain")
) strict;
CREATE UNIQUE INDEX "sso_provider_domain" on "sso_provider" ("domain") where "domain_verified_at" is not null;

CREATE TABLE "tag" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "label" text not null,
  "created_at" text not null,
  "hue" integer default 0 not null,
  constraint "tag_label" unique ("org_id", "label")
) strict;

CREATE TABLE "team" (
  "id" text primary key,
  "name" text not null,
  "memberCount" integer default 0 not null,
  "organizationId" text not null references "organization" ("id") on delete cascade,
  "createdAt" text not null,
  "updatedAt" text,
  "description" text
) strict;
CREATE INDEX "team_organizationId_idx" on "team" ("organizationId");

CREATE TABLE "teamMember" (
  "id" text primary key,
  "teamId" text not null references "team" ("id") on delete cascade,
  "userId" text not null references "user" ("id") on delete cascade,
  "membershipKey" text unique,
  "createdAt" text
) strict;
CREATE INDEX "teamMember_teamId_idx" on "teamMember" ("teamId");
CREATE INDEX "teamMember_userId_idx" on "teamMember" ("userId");

CREATE TABLE "template" (
  "id" text not null,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "waba_id" text not null,
  "name" text not null,
  "language" text not null,
  "status" text not null,
  "category" text not null,
  "category_asked" text,
  "parameter_format" text not null,
  "components" text not null,
  "media" text not null,
  "search_text" text not null,
  "quality" text not null,
  "rejected_reason" text,
  "note" text,
  "ttl_seconds" integer,
  "uses" integer not null,
  "last_used_at" text,
  "created_at" text not null,
  "updated_at" text not null,
  "synced_at" text,
  constraint "template_pk" primary key ("org_id", "id"),
  constraint "template_name" unique ("org_id", "waba_id", "name", "language")
) strict;
CREATE INDEX "template_updated" on "template" ("org_id", "waba_id", "updated_at", "id");

CREATE TABLE "template_media" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "mime" text not null,
  "name" text,
  "size" integer not null,
  "sha256" text not null,
  "path" text not null,
  "created_at" text not null,
  "brought_by" text,
  "sent_at" text,
  "sent_in" text,
  "looked_at" text default '' not null
) strict;
CREATE INDEX template_media_brought on template_media (brought_by) where brought_by is not null;
CREATE TRIGGER template_media_is_counted after insert on template_media when (case when new.path is null then 0 else coalesce(new.size, 0) end) > 0
   begin insert into file_use (org_id, bytes) values (new.org_id, (case when new.path is null then 0 else coalesce(new.size, 0) end))
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes; end;
CREATE TRIGGER template_media_is_counted_again after update of path, size on template_media when (case when new.path is null then 0 else coalesce(new.size, 0) end) <> (case when old.path is null then 0 else coalesce(old.size, 0) end)
   begin insert into file_use (org_id, bytes) values (new.org_id, (case when new.path is null then 0 else coalesce(new.size, 0) end) - (case when old.path is null then 0 else coalesce(old.size, 0) end))
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes; end;
CREATE TRIGGER template_media_is_counted_no_more after delete on template_media when (case when old.path is null then 0 else coalesce(old.size, 0) end) > 0
   begin update file_use set bytes = bytes - (case when old.path is null then 0 else coalesce(old.size, 0) end) where org_id = old.org_id; end;
CREATE INDEX "template_media_looked" on "template_media" ("looked_at", "id");
CREATE INDEX "template_media_org" on "template_media" ("org_id");

CREATE TABLE "template_sync" (
  "org_id" text primary key references "organization" ("id") on delete cascade,
  "waba_id" text not null,
  "synced_at" text,
  "failure" text
) strict;

CREATE TABLE "trusted_device" (
  "id" text primary key,
  "user_id" text not null references "user" ("id") on delete cascade,
  "token_hash" text not null unique,
  "user_agent" text,
  "ip_address" text,
  "created_at" text not null,
  "last_used_at" text not null,
  "expires_at" text not null
) strict;
CREATE INDEX "trusted_device_age" on "trusted_device" ("expires_at");
CREATE INDEX "trusted_device_user" on "trusted_device" ("user_id", "last_used_at" desc);

CREATE TABLE "untaken_item" (
  "seq" integer not null,
  "place" integer not null,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "name" text not null,
  "item" text not null,
  "at" text not null,
  constraint "untaken_item_pk" primary key ("seq", "place")
) strict;
CREATE INDEX "untaken_item_name" on "untaken_item" ("org_id", "name", "seq");

CREATE TABLE "uploaded_file" (
  "org_id" text not null references "organization" ("id") on delete cascade,
  "connection_id" text not null,
  "sha256" text not null,
  "mime" text not null,
  "provider_id" text not null,
  "uploaded_at" text not null,
  constraint "uploaded_file_pk" primary key ("org_id", "connection_id", "sha256", "mime")
) strict;
CREATE INDEX "uploaded_file_age" on "uploaded_file" ("uploaded_at");

CREATE TABLE "user" (
  "id" text primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" integer default 0 not null,
  "image" text,
  "createdAt" text not null,
  "updatedAt" text not null,
  "role" text,
  "banned" integer,
  "banReason" text,
  "banExpires" text,
  "username" text,
  "signature" text
) strict;
CREATE TRIGGER member_keeps_name after update of name on "user" when new.name <> old.name begin
     update member set sort_name = lower(new.name) where "userId" = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'á', 'a'), 'Á', 'a'), 'à', 'a'), 'À', 'a'), 'â', 'a'), 'Â', 'a'), 'ã', 'a'), 'Ã', 'a'), 'ä', 'a') where "userId" = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'Ä', 'a'), 'å', 'a'), 'Å', 'a'), 'é', 'e'), 'É', 'e'), 'è', 'e'), 'È', 'e'), 'ê', 'e'), 'Ê', 'e') where "userId" = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'ë', 'e'), 'Ë', 'e'), 'í', 'i'), 'Í', 'i'), 'ì', 'i'), 'Ì', 'i'), 'î', 'i'), 'Î', 'i'), 'ï', 'i') where "userId" = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'Ï', 'i'), 'ó', 'o'), 'Ó', 'o'), 'ò', 'o'), 'Ò', 'o'), 'ô', 'o'), 'Ô', 'o'), 'õ', 'o'), 'Õ', 'o') where "userId" = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_name, 'ö', 'o'), 'Ö', 'o'), 'ú', 'u'), 'Ú', 'u'), 'ù', 'u'), 'Ù', 'u'), 'û', 'u'), 'Û', 'u'), 'ü', 'u') where "userId" = new.id;
     update member set sort_name = replace(replace(replace(replace(replace(replace(replace(sort_name, 'Ü', 'u'), 'ý', 'y'), 'Ý', 'y'), 'ñ', 'n'), 'Ñ', 'n'), 'ç', 'c'), 'Ç', 'c') where "userId" = new.id;
   end;
CREATE TRIGGER user_keeps_site_admin before update of role, banned on "user"
   when (coalesce(new.role, 'user') <> 'admin' or coalesce(new.banned, 0) <> 0) and old.role = 'admin' and coalesce(old.banned, 0) = 0 and not exists (
    select 1 from "user" other where other.id <> old.id and other.role = 'admin' and coalesce(other.banned, 0) = 0)
   begin select raise(abort, 'LAST_SITE_ADMIN'); end;
CREATE TRIGGER user_keeps_site_admin_on_delete before delete on "user"
   when old.role = 'admin' and coalesce(old.banned, 0) = 0 and not exists (
    select 1 from "user" other where other.id <> old.id and other.role = 'admin' and coalesce(other.banned, 0) = 0)
   begin select raise(abort, 'LAST_SITE_ADMIN'); end;
CREATE UNIQUE INDEX "user_username" on "user" ("username");

CREATE TABLE "verification" (
  "id" text primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" text not null,
  "createdAt" text not null,
  "updatedAt" text not null
) strict;
CREATE INDEX "verification_expiresAt_idx" on "verification" ("expiresAt");
CREATE INDEX "verification_identifier_idx" on "verification" ("identifier");

CREATE TABLE "wa_connection" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "kind" text not null,
  "phone_number_id" text not null,
  "waba_id" text not null,
  "phone" text not null,
  "verified_name" text,
  "access_token_sealed" text not null,
  "app_secret_sealed" text not null,
  "verify_token_sealed" text not null,
  "status" text default 'connected' not null,
  "status_reason" text,
  "last_webhook_at" text,
  "created_at" text not null,
  "updated_at" text not null,
  "disconnected_at" text,
  "is_listed" integer default 1 not null,
  "shown_phone" text,
  "label" text,
  "messaging_limit" integer,
  "place" integer default 0 not null
) strict;
CREATE UNIQUE INDEX "wa_connection_number" on "wa_connection" ("phone_number_id") where "disconnected_at" is null;
CREATE UNIQUE INDEX "wa_connection_org" on "wa_connection" ("org_id", "phone_number_id");
CREATE INDEX "wa_connection_waba" on "wa_connection" ("waba_id");

CREATE TABLE "webhook_delivery" (
  "id" text primary key,
  "org_id" text not null references "organization" ("id") on delete cascade,
  "webhook" text not null,
  "type" text not null,
  "body" text not null,
  "state" text not null,
  "attempts" integer not null,
  "created_at" text not null,
  "attempted_at" text,
  "status" integer,
  "failure" text,
  "answer" text,
  "took_ms" integer
) strict;
CREATE INDEX "webhook_delivery_old" on "webhook_delivery" ("created_at");
CREATE INDEX "webhook_delivery_webhook" on "webhook_delivery" ("org_id", "webhook", "id");

CREATE TABLE "webhook_journal" (
  "seq" integer primary key autoincrement,
  "connection_id" text,
  "received_at" text not null,
  "raw" blob not null,
  "state" integer default 0 not null,
  "attempts" integer default 0 not null,
  "note" text,
  "line" text default '' not null,
  "messages" integer default 1 not null
) strict;
CREATE INDEX "webhook_journal_parked" on "webhook_journal" ("state", "seq") where "state" > 1;
CREATE INDEX "webhook_journal_waiting" on "webhook_journal" ("line", "seq", "messages") where "state" = 0;

CREATE TABLE "webhook_place" (
  "seq" integer primary key references "webhook_journal" ("seq") on delete cascade,
  "place" integer not null
) strict;
