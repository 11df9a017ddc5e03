import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import {
  deleteField,
  deleteValues,
  findField,
  findValuesIn,
  listFields,
  saveField,
} from '#server/messaging/directory/field-store.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type ContactField, type contactFieldsApi, maxContactFields } from '#shared/contacts/fields.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { fold } from '#shared/kernel/fold.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'

export { findValuesIn, listFields }

interface FieldParts {
  readonly databases: Databases
  readonly ids: () => string
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
}

/** A few milliseconds of the only writer. */
const valuesPerCommit = 300

const refuse = (field: 'label' | 'options') =>
  new InvalidInput([{ field: `body.${field}`, code: 'invalid', params: {} }])

const tidy = (typed: string): string => typed.normalize('NFC').trim().replace(/\s+/g, ' ')

/** @throws InvalidInput for a name without visible characters */
const labelOf = (typed: string): string => {
  const label = tidy(typed)
  if (!isPlainName(label)) throw refuse('label')
  return label
}

/** @throws InvalidInput for a choice without options or with equal ones, and for options of another kind */
const optionsOf = (kind: ContactField['kind'], typed: readonly string[]): string[] => {
  const options = typed.map(tidy)
  if ((kind === 'choice') !== options.length > 0) throw refuse('options')
  if (options.some(one => !isPlainName(one)) || new Set(options.map(fold)).size < options.length)
    throw refuse('options')
  return options
}

/** Custom fields of an organization's contacts. */
export function createContactFields({
  databases,
  ids,
  jobs,
  writes,
}: FieldParts): ServiceOf<typeof contactFieldsApi, OrgCaller> {
  const removals = jobs.register({
    name: 'contactField.removal',
    looksWithinMs: longestGapMs,
    payload: Type.Object({ fieldId: Type.String() }),
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run({ orgId, payload: { fieldId } }, { signal }) {
      const some = () =>
        writes.run(orgId, systemActor('contacts'), ({ db }) => deleteValues(db, orgId, fieldId, valuesPerCommit))
      while ((await some()) === valuesPerCommit) {
        if (signal.aborted) return { kind: 'released' }
        await nextTurn()
      }
      return undefined
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  /** @throws INBOX_FIELD_LABEL_TAKEN, INBOX_TOO_MANY_FIELDS */
  const requireBelowLimit = async ({ db, orgId }: OrgWrite, field: ContactField): Promise<void> => {
    const others = (await listFields(db, orgId, maxContactFields)).filter(({ id }) => id !== field.id)
    const { label } = field
    if (others.some(one => fold(one.label) === fold(label)))
      throw inboxErrors.FIELD_LABEL_TAKEN({ fields: ['body.label'], params: { label } })
    if (others.length >= maxContactFields) throw inboxErrors.TOO_MANY_FIELDS({ params: { limit: maxContactFields } })
  }

  /** @throws INBOX_FIELD_NOT_FOUND */
  const requireField = async ({ db, orgId }: OrgWrite, id: string): Promise<ContactField> => {
    const field = await findField(db, orgId, id)
    if (!field) throw inboxErrors.FIELD_NOT_FOUND()
    return field
  }

  const keep = async (write: OrgWrite, field: ContactField): Promise<ContactField> => {
    await requireBelowLimit(write, field)
    await saveField(write.db, write.orgId, field)
    write.emit({ type: 'organization.changed', data: {} })
    return field
  }

  return {
    listFields: async ({ orgId }) => ({ items: await listFields(databases.read, orgId, maxContactFields) }),

    createField: (caller, { body: { label, kind, options = [] } }) =>
      writes.run(caller.orgId, actorOf(caller), write =>
        keep(write, { id: ids(), label: labelOf(label), kind, options: optionsOf(kind, options) }),
      ),

    changeField: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const before = await requireField(write, params.id)
        return keep(write, {
          ...before,
          label: labelOf(body.label ?? before.label),
          options: body.options ? optionsOf(before.kind, body.options) : before.options,
        })
      }),

    deleteField: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId, emit, afterCommit } = write
        const { id } = await requireField(write, params.id)
        await deleteField(db, orgId, id)
        await removals.add(db, orgId, [{ payload: { fieldId: id }, uniqueKey: id }])
        emit({ type: 'organization.changed', data: {} })
        afterCommit(removals.wake)
        return { success: true }
      }),
  }
}
