import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { maxTaggedCounted, maxTags, type tagsApi } from '#shared/tags/api.ts'
import { countByTag, countContacts, moveSome, removeFromSome } from './contact-store.ts'
import { getTag } from './get-tag.ts'
import { labelOf, makeTag, requireFree } from './making.ts'
import { listTags, removeTag, saveTag } from './store.ts'

interface TagServiceParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: () => string
  readonly writes: Pick<Writes, 'run'>
  readonly scopes: Pick<Scopes, 'rolesWithTag'>
}

type TagService = ServiceOf<typeof tagsApi, OrgCaller>

/** A tag may be on every contact. It is removed from this many at once, so that others can write in between. */
const contactsPerCommit = 500
/** Creates, changes, merges and deletes tags. */
export function createTagService({ databases, clock, ids, writes, scopes }: TagServiceParts): TagService {
  return {
    listTags: async ({ orgId }) => ({ items: await listTags(databases.read, orgId, maxTags) }),

    countTags: async ({ orgId }) => ({ items: await countByTag(databases.read, orgId, maxTaggedCounted) }),

    async getTagUsage({ orgId }, { params }) {
      const tag = await getTag(databases.read, orgId, params.id)
      const contacts = await countContacts(databases.read, orgId, tag.id)
      return { ...tag, contacts, roles: await scopes.rolesWithTag(databases.read, orgId, tag.id) }
    },

    createTag: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), write => makeTag(write, body, { clock, ids })),

    changeTag: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
        const before = await getTag(db, orgId, params.id)
        const { id } = before
        const label = body.label === undefined ? before.label : labelOf(body.label)
        const tag = { id, label, hue: body.hue ?? before.hue }
        if (tag.label === before.label && tag.hue === before.hue) return tag
        if (tag.label !== before.label) requireFree(await listTags(db, orgId, maxTags), tag.label, id)
        await saveTag(db, orgId, tag)
        emit({ type: 'tag.changed', data: { tagId: id, label: tag.label, before: before.label } })
        return tag
      }),

    async mergeTag(caller, { params: { id }, body: { into } }) {
      if (id === into) throw new InvalidInput([{ field: 'body.into', code: 'invalid', params: {} }])
      for (; ; await nextTurn()) {
        const merged = await writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
          const { label } = await getTag(db, orgId, id)
          const other = await getTag(db, orgId, into)
          const moved = await moveSome(db, orgId, { from: id, to: into }, contactsPerCommit)
          if (moved === contactsPerCommit) return undefined
          const granted = await Promise.all([id, into].map(tagId => scopes.rolesWithTag(db, orgId, tagId)))
          await removeTag(db, orgId, id)
          emit({
            type: 'tag.merged',
            data: { tagId: id, label, into: { id: other.id, label: other.label }, roles: [...new Set(granted.flat())] },
          })
          return other
        })
        if (merged) return merged
      }
    },

    async deleteTag(caller, { params: { id } }) {
      const by = actorOf(caller)
      await getTag(databases.read, caller.orgId, id)
      await inBatches(contactsPerCommit, limit =>
        writes.run(caller.orgId, by, ({ db, orgId }) => removeFromSome(db, orgId, id, limit)),
      )
      return writes.run(caller.orgId, by, async ({ db, orgId, emit }) => {
        const { label } = await getTag(db, orgId, id)
        const roles = await scopes.rolesWithTag(db, orgId, id)
        await removeTag(db, orgId, id)
        emit({ type: 'tag.deleted', data: { tagId: id, label, roles } })
        return { success: true }
      })
    },
  }
}
