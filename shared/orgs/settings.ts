import { type TOptional, type TSchema, type TUnsafe, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { PictureBody, pictureBodyLimit } from '#shared/media/pictures.ts'
import { BusinessHoursValue } from './business-hours.ts'
import {
  type OrgSettingValue,
  orgSettingFields,
  type PlainSettingKey,
  plainSettingKeys,
  storedNoneOf,
} from './setting-fields.ts'

/** Settings of a whole organization. They do not override a person's own choice. */
export type OrgSettings = { [K in PlainSettingKey]: OrgSettingValue<K> }
export type Region = Pick<OrgSettings, 'timeZone' | 'language' | 'country'>

/** An object with one property for each field of the settings. */
const eachField = <P>(propertyOf: (schema: TSchema, isNullable: boolean) => TSchema) =>
  Object.fromEntries(
    plainSettingKeys.map(key => {
      const { schema, default: fallback } = orgSettingFields[key]
      return [key, propertyOf(schema, fallback === null || storedNoneOf(key) !== undefined)]
    }),
  ) as P

const OrgSettings = Type.Object(
  eachField<{ [K in PlainSettingKey]: TUnsafe<OrgSettings[K]> }>((schema, isNullable) =>
    isNullable ? Nullable(schema) : schema,
  ),
)
const SettingsChange = Type.Object(
  eachField<{ [K in PlainSettingKey]: TOptional<TUnsafe<OrgSettings[K]>> }>((schema, isNullable) =>
    Type.Optional(isNullable ? Type.Union([schema, Type.Null()]) : schema),
  ),
  { additionalProperties: false },
)

const HoursReply = Type.Object({
  hours: Nullable(BusinessHoursValue),
  timeZone: Type.String({ description: 'IANA name of the time zone of the hours.' }),
  isOpen: Type.Boolean({ description: 'Whether the organization is open now.' }),
  opensAt: Nullable(Timestamp),
})

/** The organization's demand that its members have a second factor. */
const SecondFactorDemand = Type.Object({
  isRequired: Type.Boolean(),
  membersWithout: Type.Integer({
    minimum: 0,
    description: 'Members without a second factor; they would have to set one up.',
  }),
})

export const orgSettingsApi = {
  getSecondFactorDemand: endpoint({
    method: 'GET',
    path: '/organization/second-factor',
    access: orgSettingFields.secondFactorRequired.access,
    peopleOnly: true,
    reply: SecondFactorDemand,
    summary: 'Whether the organization requires a second factor of its members, and how many have none.',
  }),
  setSecondFactorDemand: endpoint({
    method: 'PUT',
    path: '/organization/second-factor',
    access: orgSettingFields.secondFactorRequired.access,
    peopleOnly: true,
    body: Type.Object({ isRequired: Type.Boolean() }, { additionalProperties: false }),
    reply: SecondFactorDemand,
    refuses: [409],
    summary: 'Requires a second factor of every member, or stops requiring it; the caller must have one.',
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/organization/settings',
    access: 'member',
    sameFor: 'organization',
    reply: OrgSettings,
    summary: 'The settings of the organization that all members may read.',
  }),
  changeSettings: endpoint({
    method: 'PATCH',
    path: '/organization/settings',
    access: 'org:update',
    body: SettingsChange,
    reply: OrgSettings,
    summary: 'Changes the given settings.',
  }),
  getBusinessHours: endpoint({
    method: 'GET',
    path: '/organization/business-hours',
    access: 'member',
    reply: HoursReply,
    summary:
      'The business hours; null: always open. `opensAt` is null while open, and when it does not open within a year.',
  }),
  setBusinessHours: endpoint({
    method: 'PUT',
    path: '/organization/business-hours',
    access: orgSettingFields.businessHours.access,
    body: Type.Object({ hours: Type.Union([BusinessHoursValue, Type.Null()]) }, { additionalProperties: false }),
    reply: HoursReply,
    summary: 'Sets the business hours; null: always open. Hours of a day must not overlap.',
  }),
  setLogo: endpoint({
    method: 'PUT',
    path: '/organization/logo',
    access: 'org:update',
    body: PictureBody,
    bodyLimit: pictureBodyLimit,
    reply: Type.Object({ logo: Nullable(Type.String()) }),
    summary: 'Sets the logo; returns its address.',
  }),
  removeLogo: endpoint({
    method: 'DELETE',
    path: '/organization/logo',
    access: 'org:update',
    reply: Type.Object({ logo: Nullable(Type.String()) }),
    summary: 'Removes the logo.',
  }),
} as const
