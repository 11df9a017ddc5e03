import { Type } from 'typebox'
import { segmentsApi } from '#shared/contacts/segments.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, PageNumber, pageOf } from '#shared/kernel/list.ts'
import { Csv, FileCheck } from './audience.ts'
import { careInput, LocalStart, StartAt } from './care.ts'
import { AudienceCount } from './counting.ts'
import {
  audienceMaxChars,
  bulkSendsPerPage,
  maxPhones,
  maxRecipients,
  recipientsPerPage,
  recipientsPerReport,
  sendNameMaxChars,
} from './limits.ts'
import { bulkPaceApi } from './pace.ts'
import { BulkPlan, PlanInput, planFields } from './plan.ts'
import { bulkRatesApi } from './rates.ts'
import { BulkRecipe, BulkRecipient, BulkSend, BulkSendReport } from './sends.ts'
import { type BulkSendGroup, BulkSendId, groupNames, recipientOutcomes, recipientStates } from './states.ts'
import { TakenToNumbers, TemplateToNumbers } from './to-numbers.ts'

/** Line ends, quotes and accented letters of a file take two bytes each in JSON; plus the rest of the request. */
const bodyLimit = audienceMaxChars * 2 + 512 * 1024

const access = 'bulk:send'
const BeganAt = Type.String({ format: 'date-time', maxLength: 40 })
const Params = Type.Object({ id: BulkSendId }, { additionalProperties: false })
const change = (path: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/whatsapp/bulk-sends/:id/${path}`,
    access,
    params: Params,
    reply: BulkSend,
    refuses: [404, 409],
    summary,
  })

/** One template to many people, each once. Owners and admins see all sends, others their own and shared ones. */
export const bulkSendsApi = {
  plan: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/plan',
    access,
    body: PlanInput,
    bodyLimit,
    example: { body: { template: '1m8939wza4dgtamnkaft4hey', audience: { numbers: '5491155550100, 5491155550101' } } },
    reply: BulkPlan,
    refuses: [404, 409],
    summary:
      'Checks a bulk send before it is created: who would get which text, and who would be left out and why. Changes nothing.',
  }),
  countAudience: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/count',
    access,
    body: PlanInput,
    bodyLimit,
    example: { body: { template: '1m8939wza4dgtamnkaft4hey', audience: { numbers: '5491155550100, 5491155550101' } } },
    reply: AudienceCount,
    refuses: [404],
    summary: 'How many people an audience has so far, and what the first ones would get. Changes nothing.',
  }),
  checkFile: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/file',
    access,
    body: Type.Object(
      {
        csv: Csv,
        withNumbers: Type.Optional(
          Type.Boolean({
            description: 'To find numbers that are in several parts of a file that is larger than one send may be.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    reply: FileCheck,
    summary: 'Reads a file of recipients: its columns, its first rows, and what is wrong in each row. Changes nothing.',
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/test',
    access,
    body: Type.Object(
      {
        ...planFields,
        number: Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'The number that gets the test, in any spelling.',
        }),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    status: 202,
    idempotent: true,
    example: {
      body: {
        template: '1m8939wza4dgtamnkaft4hey',
        audience: { numbers: '5491155550100' },
        number: '5491155550102',
      },
    },
    reply: BulkSend,
    refuses: [404, 409],
    summary:
      "Sends the message of the plan's first recipient to a number of your own, as a test. It is in no list of bulk sends.",
  }),
  create: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends',
    access,
    body: Type.Object(
      {
        ...planFields,
        name: Type.Optional(
          Type.String({
            maxLength: sendNameMaxChars,
            description: 'Of the send, for lists; absent or empty: the template and today.',
          }),
        ),
        startIfPlanned: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: maxRecipients,
            description:
              'Number of recipients at which it starts by itself. With any other number, it stays `ready` until it is started.',
          }),
        ),
        startAt: Type.Optional(StartAt),
        localStart: Type.Optional(LocalStart),
        draft: Type.Optional(
          Type.String({
            pattern: '^[0-9a-z]{24}$',
            description: 'The draft it was made from, which is deleted with this call.',
          }),
        ),
        ...careInput,
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    status: 202,
    idempotent: true,
    example: { body: { template: '1m8939wza4dgtamnkaft4hey', audience: { numbers: '5491155550100, 5491155550101' } } },
    reply: BulkSend,
    refuses: [404, 409],
    summary: 'Creates a bulk send from a template and an audience. Recipients and texts are fixed from then on.',
  }),
  sendTemplate: endpoint({
    method: 'POST',
    path: '/whatsapp/messages_template',
    access,
    body: TemplateToNumbers,
    bodyLimit: 2 * 1024 * 1024,
    bodyValues: maxPhones + 300,
    status: 202,
    idempotent: true,
    example: { body: { phones: ['5491155550100'], template: 'pedido_listo', bodyExample: [] } },
    reply: TakenToNumbers,
    refuses: [404, 409],
    summary:
      'Sends a template to up to 20,000 numbers, as a bulk send that starts at once. `bulk-sends/{id}` has the result of each.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends',
    access,
    query: Type.Object(
      {
        page: Type.Optional(PageNumber),
        group: Type.Optional(Type.Enum(groupNames)),
        since: Type.Optional(BeganAt),
        until: Type.Optional(BeganAt),
      },
      { additionalProperties: false },
    ),
    reply: pageOf(BulkSend),
    summary: `Bulk sends, newest first, ${bulkSendsPerPage} at a time. With \`since\` or \`until\` (excluded): those that began in that time.`,
  }),
  countGroups: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/counts',
    access,
    reply: Type.Object(
      Object.fromEntries((['all', ...groupNames] as const).map(name => [name, Type.Integer({ minimum: 0 })])) as Record<
        'all' | BulkSendGroup,
        ReturnType<typeof Type.Integer>
      >,
    ),
    summary: 'How many bulk sends there are, in all and in each state.',
  }),
  get: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id',
    access,
    params: Params,
    reply: BulkSendReport,
    refuses: [404],
    summary: 'One bulk send with its results.',
  }),
  getRecipe: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id/recipe',
    access,
    params: Params,
    reply: BulkRecipe,
    refuses: [404],
    summary: 'The content of a bulk send, to begin another one with it.',
  }),
  listRecipients: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id/recipients',
    access,
    params: Params,
    query: Type.Object(
      {
        page: Type.Optional(PageNumber),
        state: Type.Optional(Type.Enum(recipientStates)),
        reason: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 60,
            description:
              'With `state`: recipients that failed, are unconfirmed or were left out for this reason, as `groups` names it.',
          }),
        ),
        outcome: Type.Optional(
          Type.Enum(recipientOutcomes, {
            description:
              'Without `state`: recipients that a figure of the statistics counts. `delivered` includes those who read it or replied.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: pageOf(BulkRecipient),
    refuses: [404],
    summary: `The recipients of a bulk send with the result of each, in the order of the plan, ${recipientsPerPage} at a time.`,
  }),
  getReportCsv: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-sends/:id/report',
    access,
    large: true,
    params: Params,
    query: Type.Object(
      { after: Type.Optional(Type.Integer({ minimum: 0, maximum: maxRecipients })) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      csv: Type.String({
        description: 'Lines in the order of the plan, the first part with the names of the columns.',
      }),
      next: Nullable(Type.Integer({ description: 'Value of `after` for the next part; null: this is the last one.' })),
    }),
    refuses: [404],
    summary: `The recipients of a bulk send with the result of each, as CSV, ${recipientsPerReport} at a time.`,
  }),
  approve: change(
    'approve',
    'Approves a large bulk send of another member. It then starts, or waits for its time, as its creator asked.',
  ),
  start: change('start', 'Starts a bulk send that is ready.'),
  schedule: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-sends/:id/schedule',
    access,
    params: Params,
    body: Type.Object({ startAt: StartAt }, { additionalProperties: false }),
    reply: BulkSend,
    refuses: [404, 409],
    summary: 'Schedules a bulk send that is ready, or gives a scheduled one another time.',
  }),
  unschedule: change('unschedule', 'Removes the time of a scheduled bulk send. It is then ready to be started.'),
  pause: change('pause', 'Pauses a bulk send. Messages that are already queued are still sent.'),
  retry: change(
    'retry',
    'Sends a completed bulk send again to recipients whose message failed for a reason that may have passed. Recipients who may have got it do not get it twice.',
  ),
  resume: change('resume', 'Resumes a bulk send that was paused, by a person or automatically.'),
  cancel: change(
    'cancel',
    'Cancels a bulk send. Recipients who have not got it do not get it, and queued messages are withdrawn.',
  ),
  ...bulkPaceApi,
  ...bulkRatesApi,
  ...segmentsApi,
} as const
