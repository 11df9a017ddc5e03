import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { languages } from '#shared/kernel/language.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { PictureBody, pictureBodyLimit } from '#shared/media/pictures.ts'
import { minFilesLimitBytes } from '#shared/media/use.ts'
import { maxExceptions, maxSpansPerDay, type Weekday, weekdays } from './business-hours.ts'

export const defaultCountry = 'AR'
const timeForm = '^(?:[01]\\d|2[0-3]):[0-5]\\d$'

/** What holds for a whole organization; nobody's own choice is overruled by it. */
export const OrgSettings = Type.Object({
  timeZone: Type.String({ description: 'IANA; of times shown to members whose browser has not told its own.' }),
  language: Type.Enum(languages, { description: 'Of the mails the organization sends.' }),
  country: Type.String({ description: 'ISO 3166-1 alpha-2; of numbers typed without their country.' }),
  filesLimitBytes: Nullable(
    Type.Integer({ description: 'How many bytes of files it keeps; null: as many as the installation allows.' }),
  ),
})
export type OrgSettings = Static<typeof OrgSettings>
export type Region = Pick<OrgSettings, 'timeZone' | 'language' | 'country'>

const Spans = Type.Array(
  Type.Object(
    { from: Type.String({ pattern: timeForm }), to: Type.String({ pattern: timeForm }) },
    { additionalProperties: false },
  ),
  { maxItems: maxSpansPerDay },
)
const BusinessHours = Type.Object(
  {
    week: Type.Object(Object.fromEntries(weekdays.map(day => [day, Spans])) as Record<Weekday, typeof Spans>, {
      additionalProperties: false,
    }),
    exceptions: Type.Array(
      Type.Object(
        { date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), spans: Spans },
        { additionalProperties: false },
      ),
      { maxItems: maxExceptions, description: 'Days that are not like their weekday.' },
    ),
  },
  {
    additionalProperties: false,
    description:
      'On the clock of the organization’s time zone. An end that is not after its beginning is on the next day.',
  },
)
const HoursReply = Type.Object({
  hours: Nullable(BusinessHours),
  timeZone: Type.String({ description: 'IANA; whose clock the hours are on.' }),
  isOpen: Type.Boolean({ description: 'Whether it attends now.' }),
  opensAt: Nullable(Timestamp),
})

/** Whether members sign in with a second factor, or see nothing of the organization. */
const SecondFactorDemand = Type.Object({
  isRequired: Type.Boolean(),
  membersWithout: Type.Integer({ minimum: 0, description: 'Members who have none; they would be led to set it up.' }),
})

export const orgSettingsApi = {
  getSecondFactorDemand: endpoint({
    method: 'GET',
    path: '/organization/second-factor',
    access: 'security:manage',
    peopleOnly: true,
    reply: SecondFactorDemand,
    summary: 'Whether the organization demands a second factor of its members, and how many have none.',
  }),
  setSecondFactorDemand: endpoint({
    method: 'PUT',
    path: '/organization/second-factor',
    access: 'security:manage',
    peopleOnly: true,
    body: Type.Object({ isRequired: Type.Boolean() }, { additionalProperties: false }),
    reply: SecondFactorDemand,
    refuses: [409],
    summary: 'Demands a second factor of every member, or no longer; whoever demands it has one.',
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/organization/settings',
    access: 'member',
    sameFor: 'organization',
    reply: OrgSettings,
    summary: 'Time zone, language, phone country and room for files of the organization.',
  }),
  changeSettings: endpoint({
    method: 'PATCH',
    path: '/organization/settings',
    access: 'org:update',
    body: Type.Object(
      {
        timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        language: Type.Optional(Type.Enum(languages)),
        country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
        filesLimitBytes: Type.Optional(
          Type.Union([Type.Integer({ minimum: minFilesLimitBytes, maximum: 2 ** 50 }), Type.Null()]),
        ),
      },
      { additionalProperties: false },
    ),
    reply: OrgSettings,
    summary: 'Changes the settings that are given.',
  }),
  getBusinessHours: endpoint({
    method: 'GET',
    path: '/organization/business-hours',
    access: 'member',
    reply: HoursReply,
    summary:
      'When the organization attends; null: at all times. `opensAt` is null while it does, and when it will not within a year.',
  }),
  setBusinessHours: endpoint({
    method: 'PUT',
    path: '/organization/business-hours',
    access: 'org:update',
    body: Type.Object({ hours: Type.Union([BusinessHours, Type.Null()]) }, { additionalProperties: false }),
    reply: HoursReply,
    summary: 'Says when the organization attends; null: at all times. Times of a day must not overlap.',
  }),
  setLogo: endpoint({
    method: 'PUT',
    path: '/organization/logo',
    access: 'org:update',
    body: PictureBody,
    bodyLimit: pictureBodyLimit,
    reply: Type.Object({ logo: Nullable(Type.String()) }),
    summary: 'Keeps a picture as the logo; the answer is where it can be seen.',
  }),
  removeLogo: endpoint({
    method: 'DELETE',
    path: '/organization/logo',
    access: 'org:update',
    reply: Type.Object({ logo: Nullable(Type.String()) }),
    summary: 'Takes the logo away.',
  }),
} as const
