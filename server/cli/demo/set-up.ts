import { seesAll } from '#server/identity/visibility/scope.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Backend } from '#server/wiring.ts'
import { fieldTarget } from '#shared/contacts/imports.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import { type Customer, customers, neighbours } from './customers.ts'
import {
  answers,
  bakery,
  fields,
  hours,
  hoursOnHoliday,
  type PersonKey,
  people,
  rates,
  type TagKey,
  type TeamKey,
  tags,
  teams,
  views,
} from './shop.ts'
import { holidayAfter } from './story-clock.ts'

export type Members = Readonly<Record<PersonKey, Member>>
export type Ids<K extends string> = Readonly<Record<K, string>>

const idsOf = <K extends string>(of: Readonly<Record<K, unknown>>): Ids<K> =>
  Object.fromEntries(Object.keys(of).map(key => [key, newId()])) as Ids<K>

const insertTeams = async (
  trx: Db,
  { orgId, userIds, teamIds, at }: { orgId: string; userIds: Ids<PersonKey>; teamIds: Ids<TeamKey>; at: string },
) => {
  const entries = Object.entries(teams) as [TeamKey, (typeof teams)[TeamKey]][]
  await trx
    .insertInto('team')
    .values(
      entries.map(([key, { name, description, people: inTeam }]) => ({
        id: teamIds[key],
        name,
        description,
        memberCount: inTeam.length,
        organizationId: orgId,
        createdAt: at,
        updatedAt: null,
      })),
    )
    .execute()
  await trx
    .insertInto('teamMember')
    .values(
      entries.flatMap(([key, { people: inTeam }]) =>
        inTeam.map(person => ({
          id: newId(),
          teamId: teamIds[key],
          userId: userIds[person],
          membershipKey: null,
          createdAt: at,
        })),
      ),
    )
    .execute()
}

/** The organization with its people and teams, directly: signing them up would need mail. */
export async function plantPeople({ databases, clock }: Backend): Promise<{ members: Members; teamIds: Ids<TeamKey> }> {
  const [orgId, userIds, teamIds, at] = [newId(), idsOf(people), idsOf(teams), isoNow(clock)]
  const entries = (Object.keys(people) as PersonKey[]).map(key => ({ key, ...people[key], id: userIds[key] }))
  await inTransaction(databases, async trx => {
    await trx
      .insertInto('organization')
      .values({ id: orgId, ...bakery, createdAt: at, logo: null, metadata: null })
      .execute()
    await trx
      .insertInto('user')
      .values(
        entries.map(({ key, id, name, email }) => ({
          id,
          name,
          email,
          emailVerified: 1,
          image: null,
          createdAt: at,
          updatedAt: at,
          role: key === 'luis' ? 'admin' : 'user',
          banned: 0,
          banReason: null,
          banExpires: null,
        })),
      )
      .execute()
    await trx
      .insertInto('member')
      .values(entries.map(({ id, role }) => ({ id: newId(), organizationId: orgId, userId: id, role, createdAt: at })))
      .execute()
    await insertTeams(trx, { orgId, userIds, teamIds, at })
  })
  const member = ({ key, id, name, email, role }: (typeof entries)[number]): [string, Member] => [
    key,
    {
      kind: 'person',
      userId: id,
      name,
      email,
      image: null,
      siteRole: 'user',
      sessionId: id,
      activeOrgId: orgId,
      language: 'es',
      orgId,
      orgSlug: bakery.slug,
      orgName: bakery.name,
      role: effectiveRole(role),
      scope: seesAll,
    },
  ]
  return { members: Object.fromEntries(entries.map(member)) as Members, teamIds }
}

const csvCell = (text: string) => `"${text.replaceAll('"', '""')}"`

const isNewcomer = (customer: Customer) => !customer.tags.includes('regular')
const story: readonly Customer[] = Object.values(customers)
/** The list of contacts shows the last ones first. */
const known = {
  before: [...neighbours, ...story.filter(customer => !isNewcomer(customer))],
  newcomers: story.filter(isNewcomer),
}

const contactsFile = (people: readonly Customer[]): string => {
  const line = ({ phone, name, tags: own, fields: values = {} }: Customer) =>
    [phone, name, own.map(key => tags[key]).join(', '), ...fields.map(({ key }) => values[key] ?? '')]
      .map(csvCell)
      .join(',')
  const head = ['Teléfono', 'Nombre', 'Etiquetas', ...fields.map(({ label }) => label)].map(csvCell).join(',')
  return [head, ...people.map(line)].join('\n')
}

/** Contacts as the bakery has them in a file. */
export async function importContacts({ services }: Backend, { luis }: Members, which: keyof typeof known) {
  const { items } = await services.contactFields.listFields(luis, {})
  const columns = fields.map(({ label }) => fieldTarget(items.find(field => field.label === label)?.id ?? ''))
  await services.contactImports.begin(luis, {
    body: {
      text: contactsFile(known[which]),
      columns: ['phone', 'name', 'tags', ...columns],
      hasHeader: true,
      file: 'clientes.csv',
    },
  })
}

/**
 * Settings, tags, fields, contacts, ready answers and views, by the calls of the product.
 *
 * @param endMs when the story ends, which is before its holiday
 */
export async function setUpShop(backend: Backend, members: Members, endMs: number): Promise<Ids<TagKey>> {
  const { services } = backend
  const { luis } = members
  const exceptions = [{ date: holidayAfter(endMs), spans: hoursOnHoliday }]
  await services.orgSettings.setBusinessHours(luis, { body: { hours: { ...hours, exceptions } } })
  await services.orgSettings.changeSettings(luis, { body: { website: 'https://donluis.example' } })
  const validFrom = `${backend.clock.now().getUTCFullYear()}-01-01`
  await services.bulkSends.setRateCard(luis, { body: { currency: 'USD', validFrom, rates } })

  const tagIds: [string, string][] = []
  for (const [hue, [key, label]] of Object.entries(tags).entries())
    tagIds.push([key, (await services.tags.createTag(luis, { body: { label, hue } })).id])
  for (const { key: _key, ...field } of fields) await services.contactFields.createField(luis, { body: field })
  await importContacts(backend, members, 'before')

  for (const { by, ...body } of answers) await services.readyAnswers.createAnswer(members[by], { body })
  const ids = Object.fromEntries(tagIds) as Ids<TagKey>
  for (const { by, name, filter, ...rest } of views) {
    const ofTag = 'tag' in rest ? { tags: [ids[rest.tag]] } : {}
    await services.savedViews.createView(members[by], { body: { name, filter: { ...filter, ...ofTag }, shared: true } })
  }
  return ids
}
